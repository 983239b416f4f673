/** A cover may be on a page twice: once hidden, once shown. */
import { expect, test } from "vitest";

const covers = import.meta.glob<string>("../../src/theriac/games/*/board/*.cover.svelte", { query: "?raw", import: "default", eager: true });

test.each(Object.entries(covers))("the ids of %s are its own", (_, source) => {
  expect(source.match(/ id="(?!\{id\})[^"]*"/g)).toBeNull();
});
