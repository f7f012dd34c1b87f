import { type Names, readNames } from './names.ts';
import { type PartialBundle, type PartialTeam, present } from './partial.ts';

export interface EntryRole {
  /** Undefined if there is no role at all. */
  readonly id: string | undefined;
  readonly by: 'entryRoleId' | 'member' | 'role' | 'only' | 'first';
  /** Every role that is named as the entry; more than one is a contradiction. */
  readonly named: readonly string[];
}

/** Finds the role in which the work of a team, or of a bundle without a team, begins (BN-8). */
export function resolveEntryRole({ roles }: Pick<Names, 'roles'>, team?: PartialTeam): EntryRole {
  const members = [...present(team?.members)].map(([, member]) => member);
  const listed = members.flatMap(({ id }) => (id !== undefined && roles.has(id) ? [id] : []));
  const candidates = listed.length > 0 ? [...new Set(listed)] : [...roles.keys()];

  const explicit = team?.entryRoleId === undefined ? [] : [team.entryRoleId];
  const marked = members.flatMap(({ id, isEntry }) => (id !== undefined && isEntry === true ? [id] : []));
  const entries = candidates.filter((id) => roles.get(id)?.isEntry === true);
  const named = [...new Set([...explicit, ...marked, ...entries])];

  if (explicit.length > 0) return { id: explicit[0], by: 'entryRoleId', named };
  if (marked.length > 0) return { id: marked[0], by: 'member', named };
  if (entries.length > 0) return { id: entries[0], by: 'role', named };
  return { id: candidates[0], by: candidates.length === 1 ? 'only' : 'first', named };
}

/** Finds where the work of the whole bundle begins: in its first team, if it has one. */
export function resolveBundleEntry(bundle: PartialBundle): EntryRole {
  return resolveEntryRole(
    readNames(bundle),
    bundle.mode === 'single' ? undefined : bundle.teams?.find((team) => team !== undefined),
  );
}
