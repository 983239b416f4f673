import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { reducedFonts } from "./fonts.ts";

const here = (path: string) => decodeURIComponent(new URL(path, import.meta.url).pathname);
/** What the bundler knows about the modules. */
interface Graph {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

const isTable = (id: string) => id === here("src/pages/TablePage.svelte") || id.endsWith(".game.ts");
const isHome = (id: string) => id === here("src/pages/HomePage.svelte");

/** Whether a module is imported by such a one, directly or by what that imports; not if it is loaded later. */
function isNeeded(id: string, by: (id: string) => boolean, graph: Graph, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return importers.some((importer) => by(importer) || isNeeded(importer, by, graph, seen));
}

/** The file for what tables and their boards need: one for what the home page needs, too, one for the rest. */
function sharedChunk(id: string, graph: Graph): string | null {
  if (!id.startsWith(here(".")) || !isNeeded(id, isTable, graph)) return null;
  return isNeeded(id, isHome, graph) ? "calm" : "table";
}

export default defineConfig({
  // The tests of the page look at no letter.
  plugins: [svelte(), ...(process.env["VITEST"] ? [] : [reducedFonts()])],
  resolve: {
    // The boards lie in the games' folders, outside of this one, and import the shell and Svelte from here.
    dedupe: ["svelte", "vitest"],
    alias: [
      { find: /^\$shell$/, replacement: here("src/board.ts") },
      { find: /^\$shell\//, replacement: here("src/") },
    ],
  },
  build: {
    outDir: here("../src/theriac/server/page"),
    emptyOutDir: true,
    target: "es2022",
    // The server's policy allows no data: addresses for scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Few files: each costs a request and its headers. What starts the page is one of them.
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"] },
            { debugName: "shared", name: sharedChunk },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: [here("..")] },
    proxy: { "/api": { target: "http://127.0.0.1:8765", ws: true }, "/games": "http://127.0.0.1:8765" },
  },
  test: {
    include: [here("tests/**/*.test.ts"), here("../src/theriac/games/*/board/*.test.ts")],
    environment: "node",
    // One process for all files: to start one for each takes as long as the tests themselves.
    pool: "threads",
    maxWorkers: 1,
    isolate: false,
  },
});
