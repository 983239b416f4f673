/** The original edition of Shock! has the same board: what differs, the view and the words tell. */
export { default } from "./shock.game";
