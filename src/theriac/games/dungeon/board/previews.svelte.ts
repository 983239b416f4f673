/** What the server says about moves that the player thinks of: asked for in groups, kept until they change. */
import { untrack } from "svelte";
import type { BoardProps, Preview } from "$shell";

/** The server previews this many moves at once. */
const AT_ONCE = 16;

export class Previews {
  found = $state.raw<Record<string, Preview>>({});
  /** Were all of them requested? Those that the server was too busy for are requested when aimed at. */
  private asked = $state(false);

  /** `moves` are all that could be made now; `aimed` is the one under the pointer. */
  constructor(preview: () => BoardProps["previewMoves"], moves: () => string[], aimed: () => string | null) {
    $effect(() => {
      let wanted = true;
      const thought = moves();
      this.found = {};
      this.asked = false;
      void this.ask(untrack(preview), thought, () => wanted).then(() => {
        if (wanted) this.asked = true;
      });
      return () => {
        wanted = false;
      };
    });
    $effect(() => {
      const move = this.asked ? aimed() : null;
      if (move === null || untrack(() => this.found[move])) return;
      let wanted = true;
      void this.ask(untrack(preview), [move], () => wanted);
      return () => {
        wanted = false;
      };
    });
  }

  private async ask(preview: BoardProps["previewMoves"], moves: string[], wanted: () => boolean): Promise<void> {
    for (let i = 0; wanted() && i < moves.length; i += AT_ONCE) {
      const found = await preview(moves.slice(i, i + AT_ONCE));
      if (wanted()) this.found = { ...this.found, ...found };
    }
  }
}
