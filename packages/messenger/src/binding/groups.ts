import { type Crypto, chainVerifier } from '@parley/e2ee';
import {
  type BrokenGroup,
  type ChainMark,
  conversationRoutes,
  foldGroup,
  type GroupAuthor,
  type GroupMembers,
  type GroupStatement,
  groupStatementHash,
  type ReplyOf,
  type Signer,
} from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { readChainPages } from './chain-pages.ts';
import type { HeldEntries } from './held-entries.ts';

interface GroupDeps {
  readonly api: Pick<Api, 'call'>;
  readonly crypto: Crypto;
  readonly held: HeldEntries;
  /** Whose signatures count in the chain of this conversation. */
  signerOf(author: GroupAuthor, conversationId: string): Promise<Signer | undefined>;
}

export interface BoundGroup {
  /** Undefined where nobody has signed anything, and where nothing verifies: then nobody is in it. */
  readonly group: GroupMembers | undefined;
  readonly problem?: BrokenGroup['problem'] | undefined;
  /** What was folded. */
  readonly statements: readonly GroupStatement[];
}

const keyOf = (conversationId: string) => `members/${conversationId}`;

/** Reads who is in a group from the statements of its creator and admins (EE-20). */
export async function readGroup(deps: GroupDeps, conversationId: string): Promise<BoundGroup> {
  const key = keyOf(conversationId);
  const text = await deps.held.get(key);
  const seen = parse(text);
  const read = await readChainPages(
    async (after) => {
      const { statements, length } = await deps.api.call(conversationRoutes.readGroup, {
        params: { conversation_id: conversationId },
        query: { after: String(after) },
      });
      return { items: statements, length };
    },
    { known: seen },
  );
  if (read.ok && read.items.length === 0) return { group: undefined, statements: [] };
  const offered = read.ok ? await fold(deps, conversationId, read.items) : read;
  // A server that answers an older request last would bring back who was removed in the meantime: ask again.
  if ((await deps.held.get(key)) !== text) return readGroup(deps, conversationId);
  if (offered.ok && read.ok) {
    // What was seen counts, whatever the server shows later.
    const isNew = read.items.length > seen.length;
    if (isNew && !(await deps.held.replace(key, text, JSON.stringify(read.items)))) {
      return readGroup(deps, conversationId);
    }
    return { group: offered, statements: read.items };
  }
  // A server that shows less, or something that does not verify, changes nothing.
  const before = await fold(deps, conversationId, seen);
  const problem = offered.ok ? undefined : offered.problem;
  return { group: before.ok ? before : undefined, problem, statements: seen };
}

/** Do these statements contain what another own device was shown of the chain (EE-23)? */
export function containsMark(statements: readonly GroupStatement[], { length, head }: ChainMark): boolean {
  const there = statements[length - 1];
  return there !== undefined && groupStatementHash(there) === head;
}

/**
 * The beginnings of the groups that this account made, as the server shows them: all that a device names which came by
 * the recovery secret alone. What other devices of the account signed after it is void, and the groups go on.
 */
export async function readOwnGroupBeginnings(
  api: Pick<Api, 'call'>,
  accountId: string,
): Promise<readonly { kind: 'group'; id: string; length: number; head: string }[]> {
  const beginnings = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: { cursor?: string } = cursor === null ? {} : { cursor };
    const reply: ReplyOf<typeof conversationRoutes.listConversations> = await api.call(
      conversationRoutes.listConversations,
      { query },
    );
    for (const { kind, conversation_id: id } of reply.conversations) {
      if (kind !== 'group') continue;
      const { statements } = await api.call(conversationRoutes.readGroup, {
        params: { conversation_id: id },
        query: {},
      });
      const [first] = statements;
      if (first?.by.id !== accountId) continue;
      beginnings.push({ kind: 'group' as const, id, length: 1, head: groupStatementHash(first) });
    }
    cursor = reply.next_cursor;
    if (cursor === null) break;
  }
  return beginnings;
}

/** More groups than a person has: a server that goes on is inventing pages. */
const MAX_PAGES = 100;

/** Keeps what this device has signed itself: a server that says it has it, and leaves it out later, is found out. */
export async function holdStatement(held: HeldEntries, statement: GroupStatement): Promise<void> {
  const key = keyOf(statement.conversation_id);
  const text = await held.get(key);
  const seen = parse(text);
  const last = seen.at(-1);
  const isNext = statement.seq === seen.length + 1 && statement.prev === (last ? groupStatementHash(last) : null);
  if (!isNext) return;
  if (!(await held.replace(key, text, JSON.stringify([...seen, statement])))) await holdStatement(held, statement);
}

const parse = (text: string | undefined) => (text === undefined ? [] : (JSON.parse(text) as GroupStatement[]));

async function fold(
  { crypto, signerOf }: GroupDeps,
  conversationId: string,
  statements: readonly GroupStatement[],
): Promise<GroupMembers | BrokenGroup> {
  const signers = new Map<string, Signer | undefined>();
  for (const { by } of statements) {
    const name = nameOf(by);
    if (!signers.has(name)) signers.set(name, await signerOf(by, conversationId));
  }
  return foldGroup(statements, {
    conversationId,
    signerOf: (by) => signers.get(nameOf(by)),
    verify: chainVerifier(crypto),
  });
}

const nameOf = (by: GroupAuthor) => `${by.id} ${by.device_id}`;
