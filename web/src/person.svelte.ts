/** Who one is: a key and a nickname, kept in this browser. */
import * as api from "./api";

const KEPT = "theriac.person";

interface Person {
  name: string;
  key: string;
}

function kept(): Person | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null") as Person | null;
  } catch {
    return null;
  }
}

let person = $state<Person | null>(kept());
let typed = $state(kept()?.name ?? "");

function keep(found: Person): Person {
  person = found;
  typed = found.name;
  localStorage.setItem(KEPT, JSON.stringify(found));
  return found;
}

export const me = {
  get key(): string | null {
    return person?.key ?? null;
  },
  get name(): string {
    return person?.name ?? "";
  },
  /** What stands where a nickname is asked for, on whichever page. */
  get typed(): string {
    return typed;
  },
  set typed(name: string) {
    typed = name;
  },
};

/** Be somebody of this name: the same person with another nickname, or a new one. */
export async function become(name: string): Promise<Person> {
  if (person && person.name === name) return person;
  if (person) {
    try {
      return keep({ key: person.key, name: (await api.rename(person.key, name)).name });
    } catch (error) {
      if (!(error instanceof api.Wrong) || error.status !== 401) throw error;
    }
  }
  return keep(await api.admit(name));
}

/** Forget a key that the server does not know (any more). */
export function forget(): void {
  person = null;
  localStorage.removeItem(KEPT);
}

/** Take the key from behind the # of a personal link, and take it out of the address. */
export function takeKeyFromAddress(): void {
  const found = /^#key=([\w.~-]+)&name=(.*)$/.exec(location.hash);
  if (!found) return;
  keep({ key: found[1] ?? "", name: decodeURIComponent(found[2] ?? "") });
  history.replaceState(null, "", location.pathname + location.search);
}

/** The address with which one goes on on another device. */
export function personalLink(path: string): string {
  return `${location.origin}${path}#key=${person?.key ?? ""}&name=${encodeURIComponent(person?.name ?? "")}`;
}

/** A text that nobody could know before: it goes into the shuffle. */
export function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
