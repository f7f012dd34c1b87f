import { type KeyPair, signGroupStatement } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type GroupAuthor, type GroupStatement, groupStatementHash, type Unsigned } from '@parley/protocol';
import { newTimedId } from './account.ts';

type Step =
  Unsigned<GroupStatement> extends infer S
    ? S extends unknown
      ? Omit<S, 'version' | 'conversation_id' | 'seq' | 'prev' | 'created_at' | 'by'>
      : never
    : never;

/** Whoever signs: a device of a person. */
export interface GroupSigner {
  readonly by: GroupAuthor;
  readonly identity: KeyPair;
}

/** The signed statements of a group (EE-20): in order, whether or not their authors may make them. */
export class SignedGroup {
  readonly conversationId: string;
  statements: readonly GroupStatement[] = [];

  constructor(conversationId: string = newTimedId()) {
    this.conversationId = conversationId;
  }

  sign({ by, identity }: GroupSigner, step: Step): GroupStatement {
    const last = this.statements.at(-1);
    const statement = {
      version: 1 as const,
      conversation_id: this.conversationId,
      seq: this.statements.length + 1,
      prev: last === undefined ? null : groupStatementHash(last),
      created_at: new Date().toISOString(),
      by,
      ...step,
    };
    const signed = signGroupStatement(nodeCrypto, statement, identity);
    this.statements = [...this.statements, signed];
    return signed;
  }

  get end(): { readonly length: number; readonly head: string } {
    return { length: this.statements.length, head: groupStatementHash(this.statements.at(-1)!) };
  }

  /** The same group in other hands. */
  fork(): SignedGroup {
    const copy = new SignedGroup(this.conversationId);
    copy.statements = this.statements;
    return copy;
  }
}
