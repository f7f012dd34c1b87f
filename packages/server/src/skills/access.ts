import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Db, Trx } from '../storage/database.ts';

export interface VisibleSkill {
  readonly id: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly version: string | null;
  readonly access: 'public' | 'restricted' | 'private';
  readonly owned: boolean;
}

/**
 * Selects the rows of `skills` that the caller may know of (SD-8). Every read uses it: lists, counts, tags, versions,
 * differences.
 */
export function visibleTo(caller: Caller): RawBuilder<boolean> {
  // What a banned or deleted account published is hidden from everyone else.
  const open = sql`not exists (
    select from accounts where accounts.id = skills.owner_id and accounts.status <> 'active')`;
  if (caller.kind !== 'human') return sql<boolean>`(skills.access <> 'private' and ${open})`;
  const { accountId } = caller;
  return sql<boolean>`(skills.owner_id = ${accountId} or (${open} and (skills.access <> 'private'
    or exists (select from skill_entitlements as entitled
      where entitled.skill_id = skills.id and entitled.account_id = ${accountId}))))`;
}

/** A skill that the caller may not see gets the same answer as one that does not exist. */
export async function findSkill(db: Db | Trx, caller: Caller, id: string): Promise<VisibleSkill> {
  const { rows } = await sql<Omit<VisibleSkill, 'owned'>>`
    select skills.id, owner_id as "ownerId", display_name as "ownerName", version, access
    from skills join accounts on accounts.id = owner_id where skills.id = ${id} and ${visibleTo(caller)}`.execute(db);
  const [skill] = rows;
  if (skill === undefined) throw new RequestError('SKILL_NOT_FOUND');
  return { ...skill, owned: caller.kind === 'human' && caller.accountId === skill.ownerId };
}

/** Throws FORBIDDEN for those who may see the skill but did not publish it. */
export async function findOwnSkill(db: Db | Trx, caller: Caller, id: string): Promise<VisibleSkill> {
  if (caller.kind !== 'human') throw new RequestError('FORBIDDEN');
  const skill = await findSkill(db, caller, id);
  if (!skill.owned) throw new RequestError('FORBIDDEN');
  return skill;
}
