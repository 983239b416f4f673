/** The player: a key and a nickname, stored in this browser. There are no accounts. */
import * as api from "./api";
import { say } from "./words.svelte";
import type { PlayerKey } from "./wire";

const STORAGE_KEY = "theriac.person";

function stored(): PlayerKey | null {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") as PlayerKey | null;
  } catch {
    return null;
  }
}

let player = $state<PlayerKey | null>(stored());
let nickname = $state(stored()?.name ?? "");

function store(found: PlayerKey): PlayerKey {
  player = found;
  nickname = found.name;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(found));
  return found;
}

export const me = {
  get key(): string | null {
    return player?.key ?? null;
  },
  get name(): string {
    return player?.name ?? "";
  },
  /** What the nickname fields of all pages show; it may not be saved yet. */
  get nickname(): string {
    return nickname;
  },
  set nickname(name: string) {
    nickname = name;
  },
};

/** Get a key for the nickname in the field, or "Guest"; a player who has one is renamed. */
export async function identify(): Promise<PlayerKey> {
  const name = nickname.trim() || say("home.guest");
  if (player && player.name === name) return player;
  if (player) {
    try {
      return store({ key: player.key, name: (await api.rename(player.key, name)).name });
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.status !== 401) throw error;
    }
  }
  return store(await api.newPlayer(name));
}

/** Keep the key that replaces the old one. */
export function takeNewKey(found: PlayerKey): void {
  store(found);
}

/** Drop a key that the server does not know; another tab may have stored a newer one. */
export function forgetPlayer(): void {
  const newer = stored();
  if (newer && newer.key !== player?.key) {
    store(newer);
    return;
  }
  player = null;
  localStorage.removeItem(STORAGE_KEY);
}

/** Move the key from the fragment of a personal link into storage, and out of the address. */
export function takeKeyFromAddress(): void {
  const found = /^#key=([\w.~-]+)&name=(.*)$/.exec(location.hash);
  if (!found) return;
  store({ key: found[1] ?? "", name: decodeURIComponent(found[2] ?? "") });
  history.replaceState(null, "", location.pathname + location.search);
}

/** A link that carries the key to another device. Browsers do not send the part after the #. */
export function personalLink(path: string): string {
  return `${location.origin}${path}#key=${player?.key ?? ""}&name=${encodeURIComponent(player?.name ?? "")}`;
}
