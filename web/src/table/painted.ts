/** How long to wait for a browser that draws nothing: its window may be covered. */
const MOST = 3000;

/** Resolves once the browser has drawn what was changed. A machine that is busy shows each thing for as long as an idle
 * one: its time counts from here. */
export function painted(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MOST);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
