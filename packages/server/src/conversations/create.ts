import { createId } from '../id.ts';
import type { Trx } from '../storage/database.ts';

export interface NewConversation {
  readonly kind: 'h2a' | 'h2h' | 'group';
  readonly title?: string;
  readonly members: readonly NewMember[];
  readonly now: Date;
}
interface NewMember {
  readonly kind: 'human' | 'agent';
  readonly id: string;
  readonly role: 'owner' | 'admin' | 'member';
}

/** Returns the new id. The caller has checked that these members may talk to each other. */
export async function createConversation(trx: Trx, { kind, title, members, now }: NewConversation): Promise<string> {
  const id = createId(now);
  await trx
    .insertInto('conversations')
    .values({ id, kind, title: title ?? null, created_at: now })
    .execute();
  const rows = members.map((member) => ({
    conversation_id: id,
    member_kind: member.kind,
    member_id: member.id,
    role: member.role,
  }));
  await trx.insertInto('members').values(rows).execute();
  return id;
}
