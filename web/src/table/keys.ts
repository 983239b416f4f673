/** Keys for everything at a table. They work on the parts of the page, so that every game has them. */

export interface TableKeys {
  hint: () => void;
  undo: () => void;
  drawer: (tab: string) => void;
  sound: () => void;
  again: () => void;
  hurry: () => void;
  help: () => void;
}

const parts = (part: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[data-part="${part}"] button`)];

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof HTMLElement && target.closest(selector) !== null;

/** The listener for keydown on the window. */
export function tableKeys(keys: TableKeys): (event: KeyboardEvent) => void {
  const letters: Record<string, () => void> = {
    h: keys.hint,
    u: keys.undo,
    l: () => keys.drawer("log"),
    c: () => keys.drawer("chat"),
    r: () => keys.drawer("rules"),
    t: () => keys.drawer("table"),
    m: keys.sound,
    b: keys.again,
    "?": keys.help,
  };
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isIn(event.target, "input, textarea, select, dialog")) return;
    // In the drawer only the letters are the table's: the other keys move and press there.
    const played = !isIn(event.target, "[data-part='drawer']") &&
      (digit(event) || enter(event) || escape(event) || space(event, keys.hurry));
    const done = played || letter(event, letters);
    if (done) event.preventDefault();
  };
}

function letter(event: KeyboardEvent, letters: Record<string, () => void>): boolean {
  const action = letters[event.key.toLowerCase()];
  action?.();
  return action !== undefined;
}

/** 1 to 9 and 0 choose the first ten cards of the hand. */
function digit(event: KeyboardEvent): boolean {
  if (!/^\d$/.test(event.key)) return false;
  const card = parts("hand")[(Number(event.key) + 9) % 10];
  card?.focus({ preventScroll: true });
  card?.click();
  return card !== undefined;
}

/** Enter plays, unless the focus is on something that it would press. */
function enter(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || (event.target instanceof HTMLElement && event.target.closest("button, a, summary"))) return false;
  const action = parts("action").find((one) => one.getAttribute("aria-disabled") !== "true");
  action?.click();
  return action !== undefined;
}

/** Escape lets go of the chosen cards. */
function escape(event: KeyboardEvent): boolean {
  if (event.key !== "Escape") return false;
  const chosen = parts("hand").filter((one) => one.getAttribute("aria-pressed") === "true");
  for (const card of chosen) card.click();
  return chosen.length > 0;
}

function space(event: KeyboardEvent, hurry: () => void): boolean {
  if (event.key !== " " || (event.target instanceof HTMLElement && event.target.closest("button, a, summary"))) return false;
  hurry();
  return true;
}
