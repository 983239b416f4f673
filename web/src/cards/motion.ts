/** Everything that happens is seen to happen: a card leaves where it was and arrives where it is.
 *
 * A board marks each card it draws with `data-card={id}` and each place with `data-place="cauldron 1"`.
 * Before a new view is drawn, `capture` notes where all cards are; after it, `play` lets each card fly from
 * there. A card that was not drawn before (it lay in a hidden hand) comes from the place where it was
 * tracked, and one that is drawn no longer flies to the place it is tracked at now.
 */
import { wake } from "../rest";
import { painted } from "../table/painted";
import { Tracker, type Places, type TrackedPlaces } from "./tracker";

/** Where something is on the screen: its centre and its width. */
interface Spot {
  x: number;
  y: number;
  width: number;
}

interface Captured {
  spot: Spot;
  element: HTMLElement;
}

const EASING = "cubic-bezier(0.22, 0.8, 0.26, 1)";
/** Between two cards that leave the same place, in milliseconds, and for all of them together. */
const STAGGER = 55;
const MOST_STAGGER = 450;
/** How long a ring marks what changed where motion is reduced. */
const RING_TIME = 1200;

/** How much longer than planned a flight may take: a browser in the background may never end it. */
const MOST_LATE = 3000;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class CardMotion {
  private readonly tracker = new Tracker();
  private places = new Map<number, string>();
  private placesBefore = new Map<number, string>();
  private captured = new Map<number, Captured>();
  private flights: Animation[] = [];
  /** The element that holds the table. */
  root: HTMLElement | null = null;

  /** The cards of each place, with the ids that they keep from view to view. */
  follow(places: Places): TrackedPlaces {
    const found = this.tracker.follow(places);
    this.places = new Map(
      Object.entries(found).flatMap(([place, cards]) => cards.map((card) => [card.id, place] as const)),
    );
    return found;
  }

  /** Note where every card is, before the next view is drawn. */
  capture(): void {
    this.placesBefore = new Map(this.places);
    this.captured = new Map(this.cards().map(([id, element]) => [id, { spot: spotOf(element), element }]));
  }

  /** Move every card from where it was. `duration` is in milliseconds. Resolves when all have landed. */
  play(duration: number): Promise<void> {
    wake();
    const cards = new Map(this.cards());
    if (reducedMotion.matches || duration <= 0) {
      if (reducedMotion.matches) this.ring(cards);
      return painted();
    }
    const flights: (Animation | null)[] = [];
    const leaving = new Map<string, number>();
    const delay = (from: string): number => {
      const before = leaving.get(from) ?? 0;
      leaving.set(from, before + 1);
      return Math.min(before * STAGGER, MOST_STAGGER);
    };
    for (const [id, element] of cards) {
      const before = this.captured.get(id);
      const origin = this.placesBefore.get(id) ?? "deck";
      const from = before?.spot ?? this.anchor(origin);
      if (from) flights.push(fly(element, from, duration, before ? 0 : delay(origin)));
    }
    for (const [id, { spot, element }] of this.captured) {
      if (cards.has(id)) continue;
      const target = this.places.get(id);
      const to = target === undefined ? null : this.anchor(target);
      if (to) flights.push(flyAway(element, spot, to, duration, delay(target ?? "")));
    }
    this.flights = flights.filter((one) => one !== null);
    return landed(this.flights, duration);
  }

  /** Let every card that flies land at once. */
  finish(): void {
    for (const flight of this.flights) flight.finish();
  }

  private cards(): [number, HTMLElement][] {
    const found = this.root?.querySelectorAll<HTMLElement>("[data-card]") ?? [];
    return [...found].map((element) => [Number(element.dataset["card"]), element]);
  }

  /** Where a place is; a place of a seat that is not drawn is at the seat. */
  private anchor(place: string): Spot | null {
    const seat = /\d+$/.exec(place)?.[0];
    for (const name of seat === undefined ? [place] : [place, `seat ${seat}`]) {
      const element = this.root?.querySelector<HTMLElement>(`[data-place="${CSS.escape(name)}"]`);
      if (element && element.getClientRects().length) return spotOf(element);
    }
    return null;
  }

  private ring(cards: Map<number, HTMLElement>): void {
    for (const [id, element] of cards) {
      if (this.placesBefore.get(id) === this.places.get(id) || !this.captured.size) continue;
      element.dataset["moved"] = "";
      setTimeout(() => delete element.dataset["moved"], RING_TIME);
    }
  }
}

function spotOf(element: HTMLElement): Spot {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: box.width };
}

/** How much larger than its own pixels an element is drawn: its place may be seen through a camera. */
function scaleAround({ parentElement }: HTMLElement): number {
  const own = parentElement?.offsetWidth ?? 0;
  return own ? (parentElement?.getBoundingClientRect().width ?? own) / own || 1 : 1;
}

/** Waits until all have landed: by the frames that are shown, not by the clock. */
async function landed(flights: Animation[], duration: number): Promise<void> {
  await painted();
  const late = new Promise((resolve) => setTimeout(resolve, duration + MOST_STAGGER + MOST_LATE));
  await Promise.race([Promise.allSettled(flights.map(({ finished }) => finished)), late]);
}

function fly(element: HTMLElement, from: Spot, duration: number, delay: number): Animation | null {
  const to = spotOf(element);
  const [across, down] = [from.x - to.x, from.y - to.y];
  if (Math.hypot(across, down) < 2) return null;
  const around = scaleAround(element);
  const [dx, dy] = [across / around, down / around];
  const scale = Math.min(Math.max(from.width / Math.max(to.width, 1), 0.2), 3);
  const flight = element.animate(
    [
      { translate: `${dx}px ${dy}px`, scale: String(scale) },
      { translate: `${dx * 0.4}px ${dy * 0.4 - Math.min(40, Math.abs(dx) * 0.12)}px`, offset: 0.5 },
      { translate: "0 0", scale: "1" },
    ],
    { duration, delay, easing: EASING, fill: "backwards" },
  );
  // Above the others, but by its style: the browser moves what only moves without drawing it again in each frame.
  element.dataset["flying"] = "";
  flight.onfinish = flight.oncancel = () => {
    if (!isFlying(element, flight)) delete element.dataset["flying"];
  };
  return flight;
}

/** Is another flight of this card under way? */
const isFlying = (element: HTMLElement, but: Animation): boolean => element.getAnimations().some((one) => one !== but && !(one instanceof CSSAnimation || one instanceof CSSTransition));

/** A card that the board draws no longer: a copy of it flies and is gone. */
function flyAway(element: HTMLElement, from: Spot, to: Spot, duration: number, delay: number): Animation {
  const ghost = element.cloneNode(true) as HTMLElement;
  for (const name of ["data-card", "data-flying", "id", "tabindex"]) ghost.removeAttribute(name);
  ghost.setAttribute("aria-hidden", "true");
  ghost.classList.add("flying-card");
  ghost.inert = true;
  Object.assign(ghost.style, { inlineSize: `${from.width}px`, left: `${from.x - from.width / 2}px` });
  document.body.append(ghost);
  ghost.style.top = `${from.y - ghost.offsetHeight / 2}px`;
  const scale = Math.min(Math.max(to.width / from.width, 0.25), 1);
  const flight = ghost.animate(
    [
      { translate: "0 0", scale: "1", opacity: 1 },
      { translate: `${to.x - from.x}px ${to.y - from.y}px`, scale: String(scale), opacity: 1, offset: 0.85 },
      { translate: `${to.x - from.x}px ${to.y - from.y}px`, scale: String(scale * 0.8), opacity: 0 },
    ],
    { duration: duration * 1.2, delay, easing: EASING, fill: "both" },
  );
  flight.onfinish = flight.oncancel = () => ghost.remove();
  return flight;
}
