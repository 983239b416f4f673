/** Identifies each card on the table from one view to the next.
 *
 * A view lists cards as texts, and equal cards have equal texts. To animate a card, the tracker gives it
 * an id, which it keeps while it stays in its place and when it moves to another. A hidden card ("~") may
 * become any card.
 */

export const HIDDEN = "~";

export interface Tracked {
  id: number;
  card: string;
}

export type Places = Record<string, readonly string[]>;
export type TrackedPlaces = Record<string, Tracked[]>;

export class Tracker {
  private places: TrackedPlaces = {};
  private next = 1;

  /** The cards of each place, with their ids. */
  follow(places: Places): TrackedPlaces {
    const found: Record<string, (Tracked | null)[]> = {};
    const left: Tracked[] = [];
    for (const [place, cards] of Object.entries(places)) {
      found[place] = stay(this.places[place] ?? [], cards, left);
    }
    for (const [place, cards] of Object.entries(this.places)) {
      if (!(place in places)) left.push(...cards);
    }
    this.fillFrom(left, places, found, (a, b) => a === b);
    this.fillFrom(left, places, found, (a, b) => a === HIDDEN || b === HIDDEN);
    this.places = {};
    for (const [place, cards] of Object.entries(places)) {
      this.places[place] = cards.map((card, i) => found[place]?.[i] ?? { id: this.next++, card });
    }
    return this.places;
  }

  private fillFrom(
    left: Tracked[],
    places: Places,
    found: Record<string, (Tracked | null)[]>,
    alike: (a: string, b: string) => boolean,
  ): void {
    for (const [place, cards] of Object.entries(places)) {
      cards.forEach((card, i) => {
        if (found[place]?.[i]) return;
        const from = left.findIndex((one) => alike(one.card, card));
        const [moved] = from < 0 ? [] : left.splice(from, 1);
        if (moved && found[place]) found[place][i] = { id: moved.id, card };
      });
    }
  }
}

/** The cards that stay in a place, in its new order; the others are appended to `left`. */
function stay(before: Tracked[], cards: readonly string[], left: Tracked[]): (Tracked | null)[] {
  const rest = [...before];
  const kept = cards.map((card) => {
    const at = rest.findIndex((one) => one.card === card);
    return at < 0 ? null : (rest.splice(at, 1)[0] ?? null);
  });
  left.push(...rest);
  return kept;
}
