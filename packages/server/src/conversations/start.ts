import { sql } from 'kysely';
import type { Human, Party } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';
import { createConversation } from './create.ts';
import { checkInvitable } from './invite.ts';

export interface Start {
  readonly kind: 'h2h' | 'group';
  readonly title?: string;
  readonly members: readonly Party[];
}

/** Returns the conversation's id. Two people have one conversation, whichever of them begins. */
export async function startConversation(platform: Platform, caller: Human, start: Start): Promise<string> {
  const self: Party = { kind: 'human', id: caller.accountId };
  const others = [...new Map(start.members.map((member) => [`${member.kind}:${member.id}`, member])).values()].filter(
    ({ id }) => id !== self.id,
  );
  const now = platform.now();
  const id = await platform.db.transaction().execute(async (trx) => {
    if (start.kind === 'h2h') {
      const [other] = others;
      if (others.length !== 1 || other?.kind !== 'human') throw new RequestError('BAD_REQUEST');
      await checkInvitable(trx, caller, others);
      const known = await lockPair(trx, self.id, other.id);
      if (known !== undefined) return known;
      const members = [self, other].map((member) => ({ ...member, role: 'member' as const }));
      return createConversation(trx, { kind: 'h2h', members, now });
    }
    await checkInvitable(trx, caller, others);
    const members = [
      { ...self, role: 'owner' as const },
      ...others.map((member) => ({ ...member, role: 'member' as const })),
    ];
    const title = start.title === undefined ? {} : { title: start.title };
    const created = await createConversation(trx, { kind: 'group', ...title, members, now });
    await platform.events.store(trx, others, 'conversation.members_changed', {
      conversation_id: created,
      added: members,
      removed: [],
    });
    return created;
  });
  platform.events.wake(others);
  return id;
}

/** Locks the pair against a second start; returns the conversation that they have already. */
async function lockPair(trx: Trx, one: string, other: string): Promise<string | undefined> {
  const pair = [one, other].sort().join(' ');
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.conversationOfTwo}, hashtext(${pair}))`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select c.id from conversations c
    join members a on a.conversation_id = c.id and a.member_kind = 'human' and a.member_id = ${one}
    join members b on b.conversation_id = c.id and b.member_kind = 'human' and b.member_id = ${other}
    where c.kind = 'h2h' and a.left_at is null and b.left_at is null limit 1`.execute(trx);
  return rows[0]?.id;
}
