/** The original edition of Shock! has the same board, in a vault with doors. It differs in its view and its words. */
import type { Board } from "$shell";
import DoorVault from "./DoorVault.svelte";
import shock from "./shock.game";

const anaphylaxis: Board = { ...shock, Scene: DoorVault };

export default anaphylaxis;
