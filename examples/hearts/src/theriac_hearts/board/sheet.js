/** How a round of Hearts was scored: what each took, what it cost, and the totals. */
import { element } from "./cards.js";

export function mountSheet(host, { after: { sheet }, names, seat, say }) {
  const table = element("table", "hearts-sheet");
  const row = (cells, kind, own) => {
    const made = element("tr", own ? "hearts-own" : "");
    cells.forEach((text, i) => made.append(element(i && kind === "td" ? "td" : "th", "", String(text))));
    table.append(made);
  };
  row(["", say("sheet.taken"), say("sheet.scored"), say("sheet.total")], "th");
  names.forEach((name, i) => row([name, sheet.taken[i], signed(sheet.scored[i]), sheet.totals[i]], "td", i === seat));
  const moon = sheet.moon === null ? [] : [element("p", "hearts-moon", say("sheet.moon", { name: names[sheet.moon] }))];
  host.replaceChildren(...moon, table);
  return { update() {} };
}

const signed = (n) => (n < 0 ? `−${-n}` : `+${n}`);
