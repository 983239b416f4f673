import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { reducedFonts } from "./fonts.ts";

const here = (path: string) => decodeURIComponent(new URL(path, import.meta.url).pathname);

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
