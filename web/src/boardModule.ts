/** Boards of installed packages: plain modules that draw into an element, guarded against their mistakes. */
import type { Component } from "svelte";
import type { Board, BoardModule, BoardProps, DeckDisplay, Mount } from "./board";
import { stageParts, type StageParts } from "./boardParts.svelte";
import MountedPart from "./parts/MountedPart.svelte";
import type { GameInfo } from "./wire";

/** The board of a game that brings none: everything is shown in words. */
export function plainBoard(info: GameInfo | null): Board {
  return {
    // Most notations begin with the card that is played.
    parts: (move) => ({ card: /^[\p{L}\p{N}]+/u.exec(move)?.[0] ?? null, at: null }),
    perSeat: info?.per_seat ?? [],
    seats: info?.seat_keys ?? [],
    card: (card) => card,
    move: (move) => move,
    outcome: ({ move }) => move,
  };
}

/** The board in a module; a plain one, with the fault, where the module cannot be loaded. */
export async function loadModule(info: GameInfo, address: string): Promise<Board> {
  const plain = plainBoard(info);
  try {
    const [module] = await Promise.all([
      import(/* @vite-ignore */ address) as Promise<Partial<BoardModule>>,
      info.files.style === null ? null : loadStyle(info.files.style),
    ]);
    if (typeof module.mount !== "function") throw new Error(`${address} exports no function mount`);
    return wrap(module as BoardModule, plain);
  } catch (error) {
    console.error(error);
    return { ...plain, fault: String(error) };
  }
}

function wrap(module: BoardModule, plain: Board): Board {
  const deck = deckDisplay(module);
  return {
    isModule: true,
    ...(module.fillsStage && { fillsStage: true }),
    Board: component<BoardProps, { stage: StageParts }>(module.mount, module.fillsStage ? "fills" : "scrolls", { stage: stageParts }),
    ...(module.mountSeat && { Seat: component(module.mountSeat) }),
    ...(module.mountScene && { Scene: component(module.mountScene) }),
    ...(module.mountSheet && { Sheet: component(module.mountSheet) }),
    ...(module.theme && { theme: module.theme }),
    ...(module.seating && { seating: module.seating }),
    ...(module.facts && { facts: guard(module.facts, () => []) }),
    ...(module.steps && { steps: guard(module.steps, () => []) }),
    ...(module.moment && { moment: guard(module.moment, () => null) }),
    ...(module.ended && { ended: guard(module.ended, () => []) }),
    ...(module.inOrder && { inOrder: guard(module.inOrder, (cards) => cards) }),
    ...(module.mountCard && { Card: component(module.mountCard) }),
    ...(deck && { deck }),
    ...(module.lowestWins !== undefined && { lowestWins: module.lowestWins }),
    ...(module.together && { together: true }),
    ...(module.drawsClock && { drawsClock: true }),
    perSeat: module.perSeat ?? plain.perSeat,
    seats: module.seats ?? plain.seats,
    parts: guard(module.parts, plain.parts),
    card: guard(module.card, plain.card),
    move: guard(module.move, plain.move),
    outcome: guard(module.outcome, plain.outcome),
    ...(module.outlook && { outlook: guard(module.outlook, () => "") }),
    ...(module.group && { group: guard(module.group, () => "") }),
    ...(module.object && { object: guard(module.object, (object) => JSON.stringify(object)) }),
  };
}

function deckDisplay({ mountDeckCard, heading, mark }: BoardModule): DeckDisplay | null {
  if (!heading) return null;
  return {
    heading: guard(heading, () => ""),
    ...(mountDeckCard && { Card: component(mountDeckCard) }),
    ...(mark && { mark: guard(mark, (one) => one) }),
  };
}

/** A function of a module; where it is missing or fails, another. */
function guard<Given extends unknown[], Result>(
  own: ((...given: Given) => Result) | undefined,
  otherwise: (...given: Given) => Result,
): (...given: Given) => Result {
  if (own === undefined) return otherwise;
  return (...given) => {
    try {
      return own(...given);
    } catch (error) {
      console.error(error);
      return otherwise(...given);
    }
  };
}

/** A function that draws into an element, as a component; `more` are props that it gets besides. */
function component<Props extends Record<string, any>, More extends object = object>(
  mount: Mount<Props & More>,
  as: "fills" | "scrolls" | "part" = "part",
  more?: More,
): Component<Props> {
  return (internals, props) => MountedPart(internals, { mount, props, as, more } as never);
}

/** Load a style sheet, once. Without it the board is ugly, not broken. */
async function loadStyle(address: string): Promise<void> {
  if ([...document.styleSheets].some((sheet) => sheet.href?.endsWith(address))) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  await new Promise((done) => {
    link.onload = done;
    link.onerror = done;
    document.head.append(link);
  });
}
