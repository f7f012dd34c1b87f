import { sign } from 'node:crypto';
import {
  type GroupAuthor,
  type GroupStatement,
  groupStatementBytes,
  groupStatementHash,
  type Unsigned,
} from '@parley/protocol';
import type { KeyPair } from './keys.ts';

/** Who signs a statement: a person on a device. */
export interface GroupSigner {
  readonly accountId: string;
  readonly deviceId: string;
  readonly key: KeyPair;
}

type Content<S> = S extends unknown
  ? Omit<S, 'version' | 'conversation_id' | 'seq' | 'prev' | 'created_at' | 'by' | 'signature'>
  : never;
type Common = Partial<Pick<GroupStatement, 'conversation_id' | 'seq' | 'prev' | 'by'>>;

/** A signed statement after these, honest except for what `content` says otherwise (EE-20). */
export function groupStatement(
  conversationId: string,
  signer: GroupSigner,
  content: Content<GroupStatement> & Common,
  before: readonly GroupStatement[] = [],
): GroupStatement {
  const last = before.at(-1);
  const by: GroupAuthor = { kind: 'human', id: signer.accountId, device_id: signer.deviceId };
  const unsigned = {
    version: 1 as const,
    conversation_id: conversationId,
    seq: before.length + 1,
    prev: last ? groupStatementHash(last) : null,
    created_at: '2026-01-02T03:04:05.000Z',
    by,
    ...content,
  } as Unsigned<GroupStatement>;
  const signature = sign(null, groupStatementBytes(unsigned), signer.key.privateKey).toString('base64url');
  return { ...unsigned, signature } as GroupStatement;
}
