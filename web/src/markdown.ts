/** Parses the subset of Markdown that rule pages use into blocks. */

export interface Span {
  kind: "text" | "strong" | "code" | "clause";
  text: string;
}

export type Block =
  | { kind: "heading"; level: number; spans: Span[]; clauses: string[] }
  | { kind: "paragraph"; spans: Span[]; clauses: string[] }
  | { kind: "list"; items: { spans: Span[]; clauses: string[] }[] }
  | { kind: "table"; head: Span[][]; rows: Span[][][] };

const PART = /\*\*(.+?)\*\*|`([^`]+)`|\[([A-Z]+-\d+)\]/g;

/** The spans of a line: plain, **strong**, `code`, and [ABC-01] for a clause. */
export function spans(text: string): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(PART)) {
    if (match.index > at) found.push({ kind: "text", text: text.slice(at, match.index) });
    const kind = match[1] !== undefined ? "strong" : match[2] !== undefined ? "code" : "clause";
    found.push({ kind, text: match[1] ?? match[2] ?? match[3] ?? "" });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ kind: "text", text: text.slice(at) });
  return found;
}

const withClauses = (text: string) => {
  const parts = spans(text);
  return { spans: parts, clauses: parts.filter((p) => p.kind === "clause").map((p) => p.text) };
};
const cells = (line: string) =>
  line
    .replace(/^\||\|\s*$/g, "")
    .split("|")
    .map((cell) => spans(cell.trim()));

export function blocks(page: string): Block[] {
  const found: Block[] = [];
  for (const part of page.replace(/\r/g, "").split(/\n\s*\n|\n(?=#)/)) {
    const lines = part.split("\n").filter((line) => line.trim());
    const first = lines[0];
    if (first === undefined) continue;
    const heading = /^(#+)\s+(.*)$/.exec(first);
    if (heading) {
      found.push({ kind: "heading", level: heading[1]?.length ?? 1, ...withClauses(heading[2] ?? "") });
      lines.shift();
    }
    if (!lines[0]) continue;
    if (lines[0].startsWith("|")) {
      const [head = "", , ...rows] = lines;
      found.push({ kind: "table", head: cells(head), rows: rows.map(cells) });
    } else if (/^\s*[-*] |^\s*\d+\. /.test(lines[0])) {
      const items = lines.join("\n").split(/\n(?=\s*(?:[-*]|\d+\.) )/);
      found.push({
        kind: "list",
        items: items.map((item) => withClauses(item.replace(/^\s*(?:[-*]|\d+\.) /, "").replace(/\s*\n\s*/g, " "))),
      });
    } else found.push({ kind: "paragraph", ...withClauses(lines.join(" ")) });
  }
  return found;
}
