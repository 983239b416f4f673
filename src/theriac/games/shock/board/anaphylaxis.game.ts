/** The original edition of Shock! has the same board. It differs in its view and its words. */
export { default } from "./shock.game";
