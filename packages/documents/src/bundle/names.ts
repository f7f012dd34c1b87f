import { type PartialBundle, type PartialKit, type PartialRole, present } from './partial.ts';

/** Roles and kits by id. If two share an id, the first counts. */
export interface Names {
  readonly roles: ReadonlyMap<string, PartialRole>;
  readonly kits: ReadonlyMap<string, PartialKit>;
}

export function readNames(bundle: PartialBundle): Names {
  return { roles: byId(bundle.roles), kits: byId(bundle.kits) };
}

function byId<Item extends { readonly id?: string | undefined }>(
  list: readonly (Item | undefined)[] | undefined,
): Map<string, Item> {
  const map = new Map<string, Item>();
  for (const [, item] of present(list)) {
    if (item.id !== undefined && !map.has(item.id)) map.set(item.id, item);
  }
  return map;
}
