import { expect, test } from "vitest";
import { blocks } from "../src/markdown";

test("headings, lists with clauses, paragraphs, tables", () => {
  const page = "# Poison\n\nThree **big** pots.\n\n## Deal\n\n- One `R5@2`. [POI-01]\n- Two\n  lines. [POI-02]\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  const found = blocks(page);
  expect(found.map((block) => block.kind)).toEqual(["heading", "paragraph", "heading", "list", "table"]);
  const list = found[3];
  if (list?.kind !== "list") throw new Error("no list");
  expect(list.items.map((item) => item.clauses)).toEqual([["POI-01"], ["POI-02"]]);
  expect(list.items[1]?.spans[0]?.text).toBe("Two lines. ");
});
