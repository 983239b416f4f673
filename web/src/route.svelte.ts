/** Which page is shown: the path of the address. */

/** A slash at its end means nothing. */
const currentPath = (): string => location.pathname.replace(/(.)\/+$/, "$1");

let path = $state(currentPath());
let search = $state(location.search);

window.addEventListener("popstate", read);

function read(): void {
  path = currentPath();
  search = location.search;
}

export const route = {
  get path(): string {
    return path;
  },
  get query(): URLSearchParams {
    return new URLSearchParams(search);
  },
};

export function go(to: string): void {
  history.pushState(null, "", to);
  read();
  window.scrollTo(0, 0);
}

/** Go there in place of this page: the history keeps no entry of it. */
export function replace(to: string): void {
  history.replaceState(null, "", to);
  read();
}

/** Replace the query of the address without a new entry in the history. */
export function replaceQuery(query: Record<string, string>): void {
  const text = new URLSearchParams(query).toString();
  history.replaceState(null, "", text ? `${path}?${text}` : path);
  search = location.search;
}

/** For links: go there without loading the page again. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
