/** Parts of the stage for boards that are plain modules: the fan of the hand and the action button, as the
 * compiled boards have them. */
import { createRawSnippet, mount, unmount, type Component, type ComponentProps } from "svelte";
import type { Mount } from "./board";
import Action from "./table/Action.svelte";
import Fan from "./table/Fan.svelte";

/** The props of `Fan`; `face` returns an element with the face of a card. */
export type FanProps = Omit<ComponentProps<typeof Fan>, "face"> & { face: (card: string) => Element };
export type ActionProps = ComponentProps<typeof Action>;

/** What a module gets as `props.stage`. */
export interface StageParts {
  mountFan: Mount<FanProps>;
  mountAction: Mount<ActionProps>;
}

export const stageParts: StageParts = {
  mountFan: (element, { face, ...props }) => {
    const fan = mountPart(Fan, element, { ...props, face: snippetOf(face) });
    return { ...fan, update: ({ face: _, ...next }) => fan.update(next) };
  },
  mountAction: (element, props) => mountPart(Action, element, props),
};

function mountPart<Props extends Record<string, any>>(part: Component<Props>, target: HTMLElement, props: Props) {
  const held = $state(props);
  const drawn = mount(part, { target, props: held });
  return { update: (next: Partial<Props>) => void Object.assign(held, next), destroy: () => void unmount(drawn) };
}

/** An element that a module makes, where a component wants a snippet. */
const snippetOf = (face: (card: string) => Element) =>
  createRawSnippet<[string, boolean]>((card) => ({
    render: () => "<span></span>",
    setup: (host) => {
      $effect(() => host.replaceChildren(face(card())));
    },
  }));
