import type { Caller } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Db } from '../storage/database.ts';

/** The owner of an identity and prekeys: a device of a person, or an agent. */
export interface Owner {
  readonly kind: 'device' | 'agent';
  readonly id: string;
}

/** Finds the owner that a token stands for, with its identity key. */
export async function findOwner(db: Db, caller: Caller): Promise<Owner & { readonly identityKey: string }> {
  if (caller.kind === 'anonymous') throw new RequestError('UNAUTHENTICATED');
  const owner = caller.kind === 'agent' ? caller.agentId : caller.deviceId;
  const row =
    owner === undefined
      ? undefined
      : await db
          .selectFrom(caller.kind === 'agent' ? 'agents' : 'devices')
          .select('identity_key')
          .where('id', '=', owner)
          .executeTakeFirst();
  if (owner === undefined || !row?.identity_key) throw new RequestError('IDENTITY_MISSING');
  return { kind: caller.kind === 'agent' ? 'agent' : 'device', id: owner, identityKey: row.identity_key };
}
