/** Keeps the screen on, where the browser can: a table in the living room is looked at, not touched. */

/** Begin; what is returned ends it. */
export function awake(): () => void {
  let held: WakeLockSentinel | null = null;
  let wanted = true;

  async function hold(): Promise<void> {
    if (!("wakeLock" in navigator) || document.hidden) return;
    try {
      held = await navigator.wakeLock.request("screen");
    } catch {
      return; // the browser does not wish to, perhaps for want of power: the screen may go dark
    }
    if (!wanted) void held.release();
  }
  /** A page that was hidden has lost it. */
  const again = (): void => void hold();
  document.addEventListener("visibilitychange", again);
  void hold();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", again);
    void held?.release();
  };
}
