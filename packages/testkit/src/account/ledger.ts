import { signEntry } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type BoundEntry, entryHash, type LedgerScope } from '@parley/protocol';
import { newTimedId, type TestDevice } from './account.ts';

/** The signed entries of a relation (EE-19): in order, whatever they say. */
export class SignedLedger {
  readonly relationId: string;
  readonly conversationId: string;
  readonly accountId: string;
  readonly agentId: string;
  readonly agentKey: string;
  entries: readonly BoundEntry[] = [];

  constructor(subject: {
    readonly accountId: string;
    readonly agentId: string;
    readonly agentKey: string;
    readonly relationId?: string;
    readonly conversationId?: string;
  }) {
    this.accountId = subject.accountId;
    this.agentId = subject.agentId;
    this.agentKey = subject.agentKey;
    this.relationId = subject.relationId ?? newTimedId();
    this.conversationId = subject.conversationId ?? newTimedId();
  }

  get head(): string | null {
    const last = this.entries.at(-1);
    return last === undefined ? null : entryHash(last);
  }

  /** `fields` replaces what an honest device would say. */
  sign(device: TestDevice, scopes: readonly LedgerScope[], fields: Partial<BoundEntry> = {}): BoundEntry {
    const { head, entries } = this;
    const entry = signEntry(
      nodeCrypto,
      {
        version: 2,
        relation_id: this.relationId,
        conversation_id: this.conversationId,
        agent_id: this.agentId,
        agent_key: this.agentKey,
        account_id: this.accountId,
        device_id: device.deviceId,
        seq: entries.length + 1,
        prev: head,
        action: head === null ? 'grant' : 'change',
        scopes: [...scopes],
        manifest_hash: 'a'.repeat(64),
        manifest_version: 1,
        created_at: new Date().toISOString(),
        ...fields,
      },
      device.identity,
    );
    this.entries = [...entries, entry];
    return entry;
  }
}
