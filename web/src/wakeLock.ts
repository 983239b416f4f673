/** Keeps the screen on, where the browser can: nobody touches the screen in the living room. */

/** Keep the screen on until the function that this returns is called. */
export function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | null = null;
  let wanted = true;

  async function request(): Promise<void> {
    if (!("wakeLock" in navigator) || document.hidden) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      return; // the browser refuses, perhaps to save power: the screen may go dark
    }
    if (!wanted) void lock.release();
  }
  // The browser releases the lock of a hidden page.
  const onVisibilityChange = (): void => void request();
  document.addEventListener("visibilitychange", onVisibilityChange);
  void request();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", onVisibilityChange);
    void lock?.release();
  };
}
