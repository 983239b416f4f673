/** The bots as characters: three dozen, six per level. Their faces are in `faces.ts`. */
import type { Level } from "../wire";
import type { Language } from "../words.svelte";
import { hash } from "./hash";

/** How a character takes things. It shows in the face and in gestures. */
export type Temper = "patient" | "hasty" | "merry" | "grim" | "sly" | "proud";

export interface Character {
  id: string;
  /** The same in all languages but Japanese. */
  name: string;
  katakana: string;
  level: Level;
  temper: Temper;
  /** Behind the face, and for whatever else belongs to this player. */
  colour: string;
}

type Row = [name: string, katakana: string, temper: Temper, colour: string];

/** Each level has one character of each temper. */
const ROWS: Record<Level, Row[]> = {
  beginner: [
    ["Pip", "ピップ", "merry", "#e0a84a"],
    ["Wren", "レン", "hasty", "#b5703f"],
    ["Dot", "ドット", "patient", "#8fa85e"],
    ["Lumi", "ルミ", "sly", "#5a9fae"],
    ["Basti", "バスティ", "proud", "#4a78b8"],
    ["Knut", "クヌート", "grim", "#8a7a6a"],
  ],
  easy: [
    ["Tobi", "トビ", "merry", "#d98a32"],
    ["Minka", "ミンカ", "sly", "#4f9c86"],
    ["Marn", "マルン", "hasty", "#3f7fb5"],
    ["Odo", "オド", "patient", "#7f9b48"],
    ["Fenna", "フェンナ", "proud", "#c9628a"],
    ["Bram", "ブラム", "grim", "#5b62a8"],
  ],
  medium: [
    ["Hedda", "ヘッダ", "sly", "#2f8f8b"],
    ["Garin", "ガラン", "grim", "#b34a3f"],
    ["Rollo", "ロロ", "merry", "#6f55b0"],
    ["Yara", "ヤラ", "proud", "#27809a"],
    ["Casimir", "カジミール", "hasty", "#bd8b2c"],
    ["Linnea", "リンネア", "patient", "#cf6a5c"],
  ],
  hard: [
    ["Crispin", "クリスピン", "merry", "#3a9270"],
    ["Isolde", "イゾルデ", "proud", "#a83c57"],
    ["Aranea", "アラネア", "sly", "#8a4a9e"],
    ["Wolfram", "ヴォルフラム", "grim", "#3d628f"],
    ["Hana", "ハナ", "patient", "#4a94c4"],
    ["Kaspar", "カスパル", "hasty", "#93913f"],
  ],
  expert: [
    ["Melchior", "メルキオル", "merry", "#d3a03a"],
    ["Ottilia", "オティリア", "proud", "#63459c"],
    ["Corvin", "コルヴィン", "hasty", "#bf5a3e"],
    ["Nyx", "ニュクス", "sly", "#6d9cc0"],
    ["Hakon", "ハーコン", "grim", "#64808c"],
    ["Sibylla", "シビラ", "patient", "#c2587a"],
  ],
  master: [
    ["Zephyrine", "ゼフィリーヌ", "merry", "#58a8c8"],
    ["Balthasar", "バルタザール", "proud", "#7a3fa0"],
    ["Morgana", "モルガナ", "sly", "#1f7a6a"],
    ["Ignatius", "イグナティウス", "hasty", "#c8492a"],
    ["Eldrid", "エルドリッド", "patient", "#7086a8"],
    ["Drakon", "ドラコン", "grim", "#476a58"],
  ],
};

export const CHARACTERS: Character[] = Object.entries(ROWS).flatMap(([level, rows]) =>
  rows.map(([name, katakana, temper, colour]) => ({
    id: name.toLowerCase(), name, katakana, level: level as Level, temper, colour,
  })),
);

export const nameOf = (character: Character, language: Language): string =>
  language === "ja" ? character.katakana : character.name;

/** The characters of a level in an order that depends on the table alone. */
function inOrderOf(table: string, level: Level): Character[] {
  const rank = (one: Character) => hash(`${table}/${one.id}`);
  return CHARACTERS.filter((one) => one.level === level).sort((a, b) => rank(a) - rank(b));
}

/** Who plays the bots of a table: null where a person plays. A seat has a place of its own in the order of
 * each level. So a bot that joins later changes no other face, and faces repeat only when a level has no more. */
export function castOf(table: string, seats: { bot: Level | null; stand_in?: Level | null }[]): (Character | null)[] {
  const cast: (Character | null)[] = [];
  seats.forEach(({ bot, stand_in }, seat) => {
    const level = bot ?? stand_in;
    if (!level) return cast.push(null);
    const order = inOrderOf(table, level);
    const own = order.map((_, step) => order[(seat + step) % order.length] as Character);
    return cast.push(own.find((one) => !cast.includes(one)) ?? own[0] ?? null);
  });
  return cast;
}
