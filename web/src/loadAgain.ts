/** Loads modules whose first attempt may have failed. */

/** The style sheets that could not be fetched. */
const broken = new Set<HTMLLinkElement>();

window.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") broken.add(target);
  },
  true, // such an event does not bubble
);

/** Load a module and its styles. After a failure, the next call fetches again what is missing: a
 * browser may remember that it could not fetch a module, and Vite asks for a style sheet once. */
export async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  await Promise.all([...broken].map(fetchAgain));
  try {
    return await load();
  } catch (error) {
    const address = /https?:\S+\.js\b/.exec(String(error))?.[0];
    if (!address) throw error;
    return (await import(/* @vite-ignore */ `${address}?${Date.now()}`)) as T;
  }
}

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  broken.delete(link);
  return new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.onload = () => resolve();
    again.onerror = () => reject(new Error(`the style sheet ${link.href} cannot be loaded`));
    link.replaceWith(again);
  });
}
