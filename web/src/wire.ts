/** What the server sends and takes. Written by `make wire`: do not edit. */

/** Anything JSON can hold. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

export type ClientMessage = Sit | Stand | Ready | Reveal | CallOff | Play | TakeBack | Answer |
  Hint | Hand | Return | Say | React | Remove | Lock | Close | Point | Typing | Hello | Ping;

export type ServerMessage = WelcomeMessage | Update | Reply | PresenceMessage | SignalMessage |
  AnnouncementMessage | ByeMessage;

/** fair + cards + hidden + skill + others = result. */
export interface Account {
  fair: number;
  cards: number;
  hidden: number;
  skill: number;
  others: number;
  result: number;
  errors: Errors;
  from_others: FromOther[];
}

/** The operator of the server says something to everybody. */
export interface AnnouncementMessage {
  announcement: string;
}

/** Agree or refuse that another player takes a move back. */
export interface Answer {
  do: "answer";
  id: string;
  agree: boolean;
}

/** All nonces were known, and the game began. `nonces` are those of all seats. */
export interface Begun {
  kind: "begun";
  nonces: string[];
}

/** The server is about to stop: reconnect in a moment. */
export interface ByeMessage {
  bye: string;
}

/** Call the sealed deal off: some nonces have been missing for too long. */
export interface CallOff {
  do: "call_off";
  id: string;
}

/** The sealed deal was called off by a seat; `missing` seats had not revealed their nonces. The
 * next deal has a new commitment. */
export interface CalledOff {
  kind: "called_off";
  seat: number;
  missing: number[];
  commitment: string;
}

export type ClientEvent = Opened | Sat | Stood | Readied | Sealed | Revealed | CalledOff | Begun
  | Moved | Offered | Handed | Returned | UndoAsked | UndoAnswered | Undone | Hinted | Said |
  Reacted | Removed | Locked | Closed;

/** How long players may think: for each move, or for all their moves in a game together. */
export interface Clock {
  per: "game" | "move";
  seconds: number;
}

/** Milliseconds left for the game and for each seat; null where nothing limits them. */
export interface ClockInfo {
  game: number | null;
  seats: (number | null)[];
}

/** Close the table. Only the player who opened it can. */
export interface Close {
  do: "close";
  id: string;
}

/** The table was closed, by the player who opened it or by the operator. */
export interface Closed {
  kind: "closed";
}

/** The chances after an event: `n` moves were made, the last event was of this kind. */
export interface CurvePoint {
  n: number;
  kind: "deal" | "move" | "start";
  round: number;
  seat: number | null;
  move: string | null;
  values: number[];
  errors: number[];
}

/** The sealed deal: `missing` seats have not revealed their nonces; then `nonces` has all. */
export interface DealInfo {
  deal: SealedDeal;
  missing?: number[];
  nonces?: string[];
}

/** A finished game, by its table and its number there. With `after`, the game continues from
 * the position after that many of its moves. */
export interface DealOf {
  table: string;
  number: number;
  after?: number;
}

/** A move with a choice. `loss` is how much more the best move would have been worth. */
export interface Decision {
  n: number;
  seat: number;
  round: number;
  move: string;
  best: string;
  loss: number;
  error: number;
  skill: number;
  skill_error: number;
  moves: TriedMove[];
}

/** A deck to check: how many there are of each card, and which cards have which marks. */
export interface DeckCards {
  cards: Record<string, Value>;
  marks?: Record<string, Value>;
}

/** What is wrong with a deck, where it departs from the rulebook, and who can play with it.
 * `option` is the value of the option `deck` for a new table: null for the usual deck, and for
 * one that cannot be played. `cards` and `marks` are what could be read of it, `text` is its
 * file. */
export interface DeckCheck {
  faults: DeckFault[];
  remarks: string[];
  players: number[];
  option: Value;
  cards: Record<string, number> | null;
  marks: Record<string, string[]> | null;
  text: string | null;
}

/** How many there are of each card, and for each possible mark the cards that have it. */
export interface DeckContents {
  cards: Record<string, number>;
  marks: Record<string, string[]>;
}

/** What is wrong with a deck, and with which card, if it is a single one. */
export interface DeckFault {
  why: string;
  card: string | null;
}

/** A deck file, as text. */
export interface DeckText {
  deck: string;
}

/** What was wrong, and what would be right. */
export interface ErrorBody {
  why: string;
  clause?: string;
}

/** The standard error of each part. */
export interface Errors {
  fair: number;
  cards: number;
  hidden: number;
  skill: number;
  others: number;
}

/** A game that you have finished. `number` is that of the game at its table, `at` when it
 * ended, `seat` yours. `replayable`: can its record be replayed here? `reviewed`: is there a
 * review? */
export interface FinishedGame {
  table: string;
  number: number;
  game: string;
  at: number;
  seats: SeatSummary[];
  seat: number;
  scores: (number | null)[];
  winners: number[];
  replayable: boolean;
  reviewed: boolean;
}

/** The game to play after a tutorial: `options.players` seats, of which bots of this level take
 * all but one. */
export interface FirstGame {
  options: Record<string, Value>;
  level: Level;
}

/** What another seat's moves did to this one: in total, and by decision rather than luck. */
export interface FromOther {
  seat: number;
  total: number;
  total_error: number;
  decided: number;
  decided_error: number;
}

/** The addresses of what a game's package has for the page (docs/page.md). That is its board as
 * a module, the style sheet and the cover, and its words by language: those of the board, and
 * those of the tutorial. */
export interface GameFiles {
  module: string | null;
  style: string | null;
  cover: string | null;
  words: Record<string, string>;
  tutorial_words: Record<string, string>;
}

/** A game and its options. `per_seat` are the keys of a view's `table` with one entry per seat,
 * `seat_keys` those whose number is a seat; `languages` are those of the rule page. */
export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  players: number[];
  usual_players: number;
  players_clause: string;
  first: string;
  options: OptionInfo[];
  languages: string[];
  together: boolean;
  adventure: boolean;
  tutorial: boolean;
  per_seat: string[];
  seat_keys: string[];
  files: GameFiles;
}

/** A game record (docs/record.md), with the `x_` keys that the server adds. */
export interface GameRecord {
  theriac: number;
  game: string;
  options: Record<string, Value>;
  moves: string[];
  seed?: string;
  deals?: string[][];
  seal?: Seal;
  x_names?: string[];
  x_bots?: (Level | null)[];
  x_hints?: HintTaken[];
  x_deal_of?: DealOf;
}

export const GESTURES = ["yes", "no", "wait", "hurry", "look", "here", "shrug", "wave"] as const;
export type Gesture = (typeof GESTURES)[number];

/** Let a bot play for a player who is away, or give an empty seat to a bot of a level. Without
 * `level`, and always for a player who is away, it is the table's `stand_in`. */
export interface Hand {
  do: "hand";
  id: string;
  seat: number;
  level?: Level | null;
}

/** A bot took over a seat: its person was away or out of time, or nobody had it. */
export interface Handed {
  kind: "handed";
  seat: number;
  level: Level;
  why?: "away" | "opener" | "time";
}

/** Is the server healthy? */
export interface Health {
  status: "bad" | "ok";
  store: string;
  version: string;
}

/** The first message of a socket: who you are, and the last version you have seen. */
export interface Hello {
  do: "hello";
  id: string;
  key?: string | null;
  since?: number | null;
}

/** Ask what the best bot would play in your place. The log and the record note the hint.
 * `version` names the position, as in a move: no hint comes if the table has moved on since. */
export interface Hint {
  do: "hint";
  id: string;
  version?: number | null;
}

/** A hint: before move number `move`, counted from 1, `seat` was advised to play `advised`. */
export interface HintTaken {
  move: number;
  seat: number;
  advised?: string;
}

/** A seat asked a bot for advice. Only that seat gets `move`, the advice. */
export interface Hinted {
  kind: "hinted";
  seat: number;
  move?: string;
}

/** A page of a table's history: the next events after a version, and the version of the table.
 * Where the last event is not of that version, there are further pages. With `views`, the
 * events are those of the last game, and what changed the position has the `view` of it. */
export interface History {
  version: number;
  events: Update[];
}

export const LEVELS = ["beginner", "easy", "medium", "hard", "expert", "master"] as const;
export type Level = (typeof LEVELS)[number];

/** Let nobody take a seat, or let people again. Only the player who opened the table can. */
export interface Lock {
  do: "lock";
  id: string;
  locked: boolean;
}

/** The player who opened the table locked it, so that nobody can take a seat, or unlocked it. */
export interface Locked {
  kind: "locked";
  locked: boolean;
}

/** A decision whose loss is significant and large enough to matter. */
export interface Mistake {
  n: number;
  seat: number;
  round: number;
  move: string;
  best: string;
  loss: number;
  error: number;
  word: "blunder" | "inaccuracy" | "mistake";
}

/** A move was made by a person, a bot, or the clock (then `seat` is null). */
export interface Moved {
  kind: "moved";
  seat: number | null;
  move: string;
  bot?: Level;
}

/** The table to open. `seats` has a level for each bot and null for each person. `options` are
 * those of the game record; `players` defaults to the number of seats. `stand_in` is the level
 * of the bots that play for players who are away or out of time. With `deal_of`, the first game
 * has the deal of that finished game, and its options: to play the same cards from another
 * seat, alone against bots; with `deal_of.after`, to play on from the position after that many
 * moves. */
export interface NewTable {
  game: string;
  seats: (Level | null)[];
  options?: Record<string, Value>;
  clock?: Clock | null;
  listed?: boolean;
  delay?: number;
  adventure?: boolean;
  hints?: boolean;
  stand_in?: Level;
  deal_of?: DealOf | null;
}

/** What a player wants to be called. */
export interface Nickname {
  name: string;
}

/** The game is over; another is offered, with these options and a new commitment. */
export interface Offered {
  kind: "offered";
  options: Record<string, Value>;
  commitment: string;
}

/** A table was opened. `seats` has a level for a bot, null for a person. `commitment` is the
 * SHA-256 of the secret that seals the first shuffle. `deal_of` is the finished game whose deal
 * the first game has instead. */
export interface Opened {
  kind: "opened";
  game: string;
  options: Record<string, Value>;
  seats: (Level | null)[];
  clock?: Clock;
  listed?: boolean;
  delay?: number;
  adventure?: boolean;
  hints?: boolean;
  stand_in?: Level;
  commitment: string;
  deal_of?: DealOf;
}

/** An option of a game. It has `values` to choose from, a range, or a list to pick from. */
export interface OptionInfo {
  name: string;
  values?: Value[];
  least?: number;
  most?: number;
  some_of?: string[];
  default: Value;
  clause: string;
  help: string;
}

/** Check the connection. */
export interface Ping {
  do: "ping";
  id: string;
}

/** Make a move. `version` is that of the last event you have seen: it names the position. */
export interface Play {
  do: "move";
  id: string;
  move: string;
  version: number;
}

/** A player's key. It alone identifies the player: keep it secret. */
export interface PlayerKey {
  name: string;
  key: string;
}

/** Make a gesture. `at` may name a card or a place, as the game writes them. */
export interface Point {
  do: "gesture";
  id: string;
  sign: Gesture;
  at?: string | null;
}

/** The seats that are connected now. */
export interface PresenceMessage {
  present: number[];
}

export type Preview = Record<string, Value>;

/** Moves to preview. */
export interface PreviewRequest {
  moves: string[];
}

/** What is sure after each of the moves that is legal. */
export interface Previews {
  version: number;
  previews: Record<string, Preview>;
}

/** React to an event. */
export interface React {
  do: "react";
  id: string;
  to: number;
  sign: Sign;
}

/** Somebody reacted to event number `to`. */
export interface Reacted {
  kind: "reacted";
  name: string;
  to: number;
  sign: Sign;
  seat?: number;
}

/** A seat agreed to the next game. */
export interface Readied {
  kind: "readied";
  seat: number;
}

/** Agree to the next game. `commitment` and `to` are as in `sit`. */
export interface Ready {
  do: "ready";
  id: string;
  commitment: string;
  to: string;
}

/** Why a request was refused; `clause` names the rule that forbids it. */
export interface Refusal {
  code: RefusalCode;
  why: string;
  clause?: string;
}

export const REFUSAL_CODES = ["unreadable", "illegal", "stale", "turn", "seat", "stage", "silence", "denied", "rate", "store"] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Remove a person from a seat, or a bot before the first game. Only the player who opened the
 * table can. */
export interface Remove {
  do: "remove";
  id: string;
  seat: number;
}

/** A person lost a seat, and cannot take part at this table again. While a game is in play, a
 * bot of this level plays on. */
export interface Removed {
  kind: "removed";
  seat: number;
  by: "opener" | "operator";
  level?: Level;
}

/** A game, position by position, from one seat's viewpoint or with all hands open. `cards` are
 * in the order of their numbers, and `dealt` are the shuffles, first drawn first: enough to
 * recompute the shuffles. */
export interface Replay {
  game: string;
  steps: ReplayStep[];
  record: GameRecord;
  cards: string[];
  dealt: string[][];
}

/** A record to replay, from a seat's viewpoint or with all hands open. */
export interface ReplayRequest {
  record: Record<string, Value>;
  seat?: number | null;
}

/** The position after `n` moves, and the last of them. `hands` only where all are open. */
export interface ReplayStep {
  n: number;
  view: View;
  move?: string;
  seat?: number | null;
  hands?: string[][];
  sheet?: Record<string, Value>;
  recalled?: Record<string, Value>;
}

/** The reply to a request: the version it led to, or why it was refused. `id` is null where the
 * id of the request could not be read. */
export interface Reply {
  id: string | null;
  version?: number;
  refused?: Refusal;
}

/** What is wrong, for the operator: about a seat, about an event such as a message, or both. */
export interface ReportRequest {
  why: string;
  seat?: number | null;
  event?: number | null;
}

/** Take your seat back from a bot. */
export interface Return {
  do: "return";
  id: string;
}

/** A person took their seat back from a bot. */
export interface Returned {
  kind: "returned";
  seat: number;
}

/** Reveal the nonce that you committed to, when the deal is sealed. */
export interface Reveal {
  do: "reveal";
  id: string;
  nonce: string;
}

/** A seat revealed its nonce. Everybody gets all nonces at once, when the game begins. */
export interface Revealed {
  kind: "revealed";
  seat: number;
}

/** Skill and luck apart, for one finished game. */
export interface Review {
  theriac: string;
  game: string;
  players: number;
  together: boolean;
  seed: number;
  playouts: number;
  playout_moves: number;
  stage: "account" | "curve" | "done";
  curve: CurvePoint[];
  seats: SeatAccount[];
  decisions: Decision[];
  mistakes: Mistake[];
}

/** How far a review is, and what is known so far. `step` counts the results so far, each finer
 * than the one before; the last one is `done`. `progress` is from 0 to 1. `waiting` is the
 * place in the queue, from 1; null once the review has begun. `failed` says why there will be
 * no further step. `id` is that of the review of a record that was sent, else null. `review` is
 * null, and `previews` empty, where there is nothing after the step that was asked for.
 * `previews` has for each mistake, by the number `n` of its move, what was sure after the move
 * played and after the best one, for the seat that moved. */
export interface ReviewProgress {
  id: string | null;
  step: number;
  done: boolean;
  progress: number;
  waiting: number | null;
  failed: string | null;
  review: Review | null;
  previews: Record<string, Record<string, Preview>>;
}

/** The record of a finished game to review. */
export interface ReviewRequest {
  record: Record<string, Value>;
}

/** Somebody said something; a spectator has no `seat`. */
export interface Said {
  kind: "said";
  name: string;
  text: string;
  seat?: number;
}

/** A person took a seat. */
export interface Sat {
  kind: "sat";
  name: string;
  seat: number;
}

/** Say something to everybody at the table. */
export interface Say {
  do: "say";
  id: string;
  text: string;
}

/** What proves that the shuffle was fixed before the game. Version 1 has the first three keys
 * only. */
export interface Seal {
  commitment: string;
  secret: string;
  nonces: string[];
  version?: number;
  table?: string;
  number?: number;
  called_off?: number;
  seats?: SealedSeat[];
  commitments?: string[];
  code?: string;
}

/** All seats were ready: the deal is fixed, and the nonces may be revealed. `commitments` and
 * `names` are those of all seats. Logs of before lack `names`: their deals are bound to the
 * names themselves. */
export interface Sealed {
  kind: "sealed";
  commitments: string[];
  names?: SealedName[];
}

/** What was fixed before any nonce was revealed. `number` counts the games of the table from 1,
 * and `called_off` the deals of the table that were called off before this one. `commitment` is
 * the server's, `commitments` those of the seats. */
export interface SealedDeal {
  table: string;
  game: string;
  number: number;
  called_off: number;
  options: Record<string, Value>;
  seats: SealedSeat[];
  commitment: string;
  commitments: string[];
}

/** The salted hash of a seat's name, to which the deal is bound. Without the salt, the name was
 * deleted. */
export interface SealedName {
  hash: string;
  salt?: string;
}

/** A seat when the deal was sealed: the name of its person, the level of the bot that plays.
 * `name_hash` is the salted hash of the name, which version 2 lacks. `salt` is missing where
 * the name was deleted. */
export interface SealedSeat {
  name: string;
  bot: string | null;
  name_hash?: string;
  salt?: string;
}

/** The account of a seat in shares of the win, and again in points. */
export interface SeatAccount {
  fair: number;
  cards: number;
  hidden: number;
  skill: number;
  others: number;
  result: number;
  errors: Errors;
  from_others: FromOther[];
  seat: number;
  points: Account;
}

/** A seat: `bot` plays it from the start, `stand_in` plays it for its person. */
export interface SeatInfo {
  name: string;
  bot: Level | null;
  stand_in: Level | null;
  taken: boolean;
  ready: boolean;
}

/** A seat of a table in a list. */
export interface SeatSummary {
  name: string;
  bot: Level | null;
}

export const SIGNS = ["like", "laugh", "wow", "sad", "thanks", "sorry"] as const;
export type Sign = (typeof SIGNS)[number];

/** A gesture, or a sign that somebody is typing. It is not stored. */
export interface Signal {
  name: string;
  seat: number | null;
  gesture?: Gesture;
  at?: string | null;
  typing?: boolean;
}

/** A signal from somebody at the table. */
export interface SignalMessage {
  passing: Signal;
}

/** The clause that forbids talk now, and whether players may still make gestures. */
export interface SilenceInfo {
  clause: string;
  gestures: boolean;
}

/** Take a free seat. `commitment` is the client's own, to a nonce that it keeps; `to` is the
 * table's, which it includes. */
export interface Sit {
  do: "sit";
  id: string;
  seat: number;
  commitment: string;
  to: string;
}

export const STAGES = ["gathering", "sealing", "playing", "over", "closed"] as const;
export type Stage = (typeof STAGES)[number];

/** Give up your seat, before a game begins or after it. */
export interface Stand {
  do: "stand";
  id: string;
}

/** A person gave a seat up. */
export interface Stood {
  kind: "stood";
  seat: number;
}

/** The table and who sits at it; the same for everybody. `locked`: nobody can take a seat.
 * `opener` is the seat of the player who opened the table, if they have one. `sealed` is the
 * deal of the game in play or about to begin, `called_off` the number of deals of this table
 * that were called off. `deal_of` is the finished game whose deal this game has: its cards may
 * be known, and nothing is sealed. All are left out where there is nothing to say. */
export interface TableInfo {
  table: string;
  game: string;
  options: Record<string, Value>;
  stage: Stage;
  seats: SeatInfo[];
  commitment: string;
  clock: Clock | null;
  listed: boolean;
  delay: number;
  adventure: boolean;
  hints: boolean;
  stand_in: Level;
  games: number;
  undo: UndoRequest | null;
  locked?: boolean;
  opener?: number;
  sealed?: DealInfo;
  called_off?: number;
  deal_of?: DealOf;
}

/** The new table and the path of its page: send it to your friends. */
export interface TableOpened {
  table: string;
  path: string;
}

/** A table in a list. */
export interface TableSummary {
  table: string;
  game: string;
  stage: Stage;
  seats: SeatSummary[];
  changed: number;
  to_act?: number;
  seat?: number;
  your_turn?: boolean;
  hints?: boolean;
}

/** Ask to take back your last move. */
export interface TakeBack {
  do: "undo";
  id: string;
}

/** A move that a seat could have made: what it is worth, from what the seat could know. */
export interface TriedMove {
  move: string;
  value: number;
  error: number;
  imagined: number;
  policy: boolean;
}

/** A move tried at a step (from 0) of a tutorial. */
export interface TutorialAttempt {
  step: number;
  move: string;
}

/** A move of a tutorial as the learner, at seat 0, may know it, and the position after it. */
export interface TutorialMove {
  seat: number | null;
  move: string;
  view: View;
}

/** Moves to preview at a step (from 0) of a tutorial. */
export interface TutorialPreviewRequest {
  step: number;
  moves: string[];
}

/** What is sure after each of the moves that is legal. */
export interface TutorialPreviews {
  previews: Record<string, Preview>;
}

/** A whole tutorial as seat 0 sees it: the first position and the steps. `first_game` is null
 * where the usual game is good enough for beginners. */
export interface TutorialScript {
  game: string;
  options: Record<string, Value>;
  view: View;
  steps: TutorialStep[];
  first_game: FirstGame | null;
}

/** A step of a tutorial. `say` is the key of its sentence. `asks` is the move that the learner
 * shall try, null where there is only something to read; `refused` means that the rules refuse
 * that move. `light` names what to highlight: places that the board names, `card X` of the
 * hand, `seat N`, `hand`, `action`, `status`. The step ends with `moves`. */
export interface TutorialStep {
  say: string;
  asks: string | null;
  refused: boolean;
  light: string[];
  moves: TutorialMove[];
}

/** Is it the move that the step asks for? Is it legal, and if not, why and by which clause? */
export interface TutorialVerdict {
  meant: boolean;
  legal: boolean;
  why: string | null;
  clause: string | null;
}

/** Show the others that you are typing. */
export interface Typing {
  do: "typing";
  id: string;
}

/** Another seat agreed to the undo, or refused. */
export interface UndoAnswered {
  kind: "undo_answered";
  seat: number;
  agreed: boolean;
}

/** A seat asked to take its last move back. */
export interface UndoAsked {
  kind: "undo_asked";
  seat: number;
}

/** A seat wants to take its last move back; these seats have agreed. */
export interface UndoRequest {
  seat: number;
  agreed: number[];
}

/** A seat's last move was taken back, with those of bots since; `moves` are left. */
export interface Undone {
  kind: "undone";
  moves: number;
}

/** An event, and what it changed. Without `event` this client may not know what happened.
 * `room` and `view` are present where they changed; `seat` accompanies `room` for a client with
 * a seat. */
export interface Update {
  version: number;
  at: number;
  event?: ClientEvent;
  room?: TableInfo;
  view?: View;
  seat?: number;
}

/** The checks that a game's shuffle passed. */
export interface Verification {
  steps: string[];
  fault: string | null;
}

/** The position from one viewpoint: a seat, or a spectator. The game defines the keys of
 * `table`, `recalled` and `sheet`. */
export interface View {
  game: string;
  over: boolean;
  to_act: number | null;
  round: number;
  scores: (number | null)[];
  winners: number[];
  legal: string[];
  table: Record<string, Value>;
  /** The rounds of a whole game, if known beforehand. */
  rounds?: number;
  hand?: string[];
  /** What else a careful player remembers. */
  recalled?: Record<string, Value>;
  /** Legal moves although another seat is to act. */
  anytime?: string[];
  /** How the last finished round was scored. */
  sheet?: Record<string, Value>;
  /** Can this seat take its last move back, or ask to? */
  undo?: boolean;
  clock?: ClockInfo;
  silence?: SilenceInfo;
  /** The move a bot advised this seat to play here. */
  hint?: string;
}

/** The whole state now, and the events since the version that the client named. `present` lists
 * the seats that were connected before this client. `skipped` is the number of events since
 * that version that would make the message too long: the oldest ones. They are at `GET
 * /api/tables/NAME/events`. */
export interface Welcome {
  version: number;
  now: number;
  room: TableInfo;
  events: Update[];
  seat?: number;
  view?: View;
  present?: number[];
  skipped?: number;
}

/** The first message after a hello. */
export interface WelcomeMessage {
  welcome: Welcome;
}
