import type { TableInfo, View } from "../wire";

/** May the player ask to take the last move back? */
export function canTakeBack(info: TableInfo, view: View | null, seat: number | null): boolean {
  if (seat === null || info.stage !== "playing" || info.undo || !view) return false;
  return view.undo === true;
}
