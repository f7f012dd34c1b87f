/** What is at the upper edge of a box, innermost first, and how far below the edge each of it begins. */
export type Anchor = readonly { readonly node: Element; readonly top: number }[];

/** The first that begins in view; or else, of what spans the edge, the text that does. */
export function findAnchor(box: HTMLElement): Anchor {
  const { top: edge, bottom } = box.getBoundingClientRect();
  const findIn = (parent: Element): Anchor => {
    for (const node of parent.children) {
      const rect = node.getBoundingClientRect();
      if (rect.top >= bottom) return [];
      if (rect.bottom <= edge + 1) continue;
      const top = rect.top - edge;
      const inner = top >= 0 ? [] : findIn(node);
      // Where only an empty margin spans the edge, what comes next is in view.
      if (top >= 0 || inner.length > 0 || isText(node)) return [...inner, { node, top }];
    }
    return [];
  };
  return box.firstElementChild === null ? [] : findIn(box.firstElementChild);
}

const isText = ({ childNodes }: Element) => [...childNodes].some((node) => node instanceof Text && node.data.trim());

/** By how much it is below where it was found; undefined if nothing of it is there any more. */
export function readShift(box: HTMLElement, anchor: Anchor): number | undefined {
  const known = anchor.find(({ node }) => node.isConnected);
  if (known === undefined) return undefined;
  return known.node.getBoundingClientRect().top - box.getBoundingClientRect().top - known.top;
}
