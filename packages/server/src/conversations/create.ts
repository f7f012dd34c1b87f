import { createId } from '../id.ts';
import type { Trx } from '../storage/database.ts';

export interface NewConversation {
  /** Chosen by a client that signs it; otherwise the server makes one. */
  readonly id?: string | undefined;
  readonly kind: 'h2a' | 'h2h' | 'group' | 'account';
  readonly title?: string;
  readonly members: readonly NewMember[];
  readonly now: Date;
}
interface NewMember {
  readonly kind: 'human' | 'agent';
  readonly id: string;
  readonly role: 'owner' | 'admin' | 'member';
}

/** Returns the new id; undefined if it is taken. The caller has checked that these members may talk to each other. */
export async function createConversation(trx: Trx, conversation: NewConversation): Promise<string | undefined> {
  const { kind, title, members, now, id = createId(now) } = conversation;
  const created = await trx
    .insertInto('conversations')
    .values({ id, kind, title: title ?? null, payer_id: findPayer(conversation), created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) return undefined;
  const rows = members.map((member) => ({
    conversation_id: id,
    member_kind: member.kind,
    member_id: member.id,
    role: member.role,
  }));
  await trx.insertInto('members').values(rows).execute();
  return id;
}

/**
 * Whoever began it (OP-1), else a stranger could fill someone's budget. Nobody pays for the conversation of an account's own
 * devices.
 */
function findPayer({ kind, members }: NewConversation): string | null {
  if (kind === 'account') return null;
  return (members.find(({ role }) => role === 'owner') ?? members[0])?.id ?? null;
}

/**
 * The conversation that an account's devices have among themselves (EE-23). Its id is the account's, so that nobody has to
 * be asked which one it is.
 */
export async function createAccountConversation(trx: Trx, accountId: string, now: Date): Promise<void> {
  const members = [{ kind: 'human', id: accountId, role: 'owner' }] as const;
  await createConversation(trx, { id: accountId, kind: 'account', members, now });
}

export async function deleteAccountConversation(trx: Trx, accountId: string): Promise<void> {
  const deleted = await trx
    .deleteFrom('conversations')
    .where('id', '=', accountId)
    .where('kind', '=', 'account')
    .returning('id')
    .executeTakeFirst();
  if (deleted !== undefined) await trx.deleteFrom('messages').where('conversation_id', '=', accountId).execute();
}
