import { signEntry, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type BoundEntry, entryBytes, entryHash, type LedgerEntry, type LedgerScope } from '@parley/protocol';
import { newTimedId, type TestDevice } from './account.ts';

/** The signed entries of a relation (EE-19): in order, whatever they say. */
export class SignedLedger {
  readonly relationId: string;
  readonly conversationId: string;
  readonly accountId: string;
  readonly agentId: string;
  readonly agentKey: string;
  entries: readonly LedgerEntry[] = [];

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

  /** In the form of the version before, which names neither the conversation nor the agent's key. */
  signOld(device: TestDevice, scopes: readonly LedgerScope[]): LedgerEntry {
    const before = this.entries;
    const { conversation_id: _, agent_key: __, signature: ___, ...entry } = this.sign(device, scopes);
    const old = { ...entry, version: 1 as const };
    const signed = { ...old, signature: toBase64Url(nodeCrypto.sign(device.identity.privateKey, entryBytes(old))) };
    this.entries = [...before, signed];
    return signed;
  }
}
