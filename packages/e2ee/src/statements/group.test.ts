import {
  type BrokenGroup,
  foldGroup,
  type GroupAuthor,
  type GroupMember,
  GroupStatement,
  groupStatementBytes,
  groupStatementHash,
  headName,
} from '@parley/protocol';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { type Published, type PublishedPair, readVectors } from '../../tests/vectors.ts';
import { nodeCrypto } from '../provider/node.ts';
import { chainVerifier } from './device-list.ts';

interface Vectors {
  readonly conversation_id: string;
  readonly authors: Readonly<Record<string, PublishedPair & { by: GroupAuthor }>>;
  readonly statements: Published<GroupStatement>;
  readonly cases: readonly {
    name: string;
    conversation_id?: string;
    list: readonly string[];
    seen?: { length: number; head: string };
    revocations?: readonly { author: string; salt: string; heads: readonly string[] }[];
    expect: { ok: true; members: readonly GroupMember[] } | BrokenGroup;
  }[];
}

const vectors = readVectors<Vectors>('group-chain');
const isSame = (a: GroupAuthor, b: GroupAuthor) => JSON.stringify(a) === JSON.stringify(b);

describe('EE-20 the published chain of a group', () => {
  it.each(Object.entries(vectors.statements))('EE-20 %s has its form, its bytes and its hash', (_, published) => {
    const { statement, signed, hash } = published;
    expect(Compile(GroupStatement).Check(statement)).toBe(true);
    expect(new TextDecoder().decode(groupStatementBytes(statement))).toBe(signed);
    expect(groupStatementHash(statement)).toBe(hash);
  });

  it.each(vectors.cases)(
    'EE-20 $name, of $list.length',
    ({ list, conversation_id, seen, revocations = [], ...one }) => {
      const id = conversation_id ?? vectors.conversation_id;
      const folded = foldGroup(
        list.map((name) => vectors.statements[name]!.statement),
        {
          conversationId: id,
          verify: chainVerifier(nodeCrypto),
          ...(seen === undefined ? {} : { seen }),
          signerOf: (author) => {
            const [name, found] = Object.entries(vectors.authors).find(([, { by }]) => isSame(by, author))!;
            const gone = revocations.find((revocation) => revocation.author === name);
            const key = found.public_key;
            if (gone === undefined) return { key };
            const { salt, heads } = gone;
            return {
              key,
              named: (length, head) => heads.includes(headName(salt, { kind: 'group', id, length, head })),
            };
          },
        },
      );
      const { past: _, ...found } = folded.ok ? folded : { ...folded, past: [] };
      expect(found).toEqual(one.expect);
    },
  );
});
