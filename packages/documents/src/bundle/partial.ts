import type { Bundle } from './types.ts';

/**
 * A bundle as far as it could be read: every field may be absent, an entry of a list may be missing, and every value
 * that is present has the right type. Entries of lists keep their index, so that a finding can say where it is.
 */
type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly (DeepPartial<Item> | undefined)[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [Key in keyof T]?: DeepPartial<Exclude<T[Key], undefined>> | undefined }
    : T;

export type PartialBundle = DeepPartial<Bundle>;
export type PartialRole = DeepPartial<Bundle['roles'][number]>;
export type PartialKit = DeepPartial<NonNullable<Bundle['kits']>[number]>;
export type PartialTeam = DeepPartial<NonNullable<Bundle['teams']>[number]>;
export type PartialEdge = DeepPartial<NonNullable<NonNullable<Bundle['teams']>[number]['handoffGraph']>[number]>;

/** Yields the entries that could be read, each with its index. */
export function* present<Item>(list: readonly (Item | undefined)[] | undefined): Generator<[number, Item]> {
  for (const [index, item] of (list ?? []).entries()) if (item !== undefined) yield [index, item];
}
