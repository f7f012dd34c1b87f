import type { Manifest } from '@parley/documents';
import { createMemoryStore, type Incoming, type Outgoing, type Store } from '@parley/messenger';
import type { ToolCall, ToolResponse } from '@parley/protocol';
import type { AuditEntry } from '../src/audit/types.ts';
import type { Executor } from '../src/executors/types.ts';
import type { CallRecord } from '../src/guard/call-record.ts';
import type { GuardRelation } from '../src/guard/decide.ts';
import { loadPermissions, type Permissions } from '../src/guard/permissions.ts';
import { createPrompts, type PromptQueue } from '../src/guard/prompts.ts';
import { createRunner, type Runner } from '../src/guard/runner.ts';
import type { VerifiedManifest } from '../src/guard/verified-manifest.ts';
import { AGENT, CONVERSATION, EXECUTORS, finder, held, NOW, RELATION } from './guard-fixtures.ts';

/** Time that passes only when told to. */
class FakeClock {
  private time = NOW;
  private behind = 0;
  private readonly timers = new Set<{ due: number; fire(): void }>();
  readonly now = () => new Date(this.time - this.behind);
  get waiting(): number {
    return this.timers.size;
  }

  readonly setTimer = (callback: () => void, ms: number) => {
    const timer = { due: this.time + ms, fire: callback };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  };
  /** Someone puts the clock back; timers go on. */
  putBack(ms: number): void {
    this.behind += ms;
  }
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.timers].sort((a, b) => a.due - b.due)[0];
      if (next === undefined || next.due > end) break;
      this.time = Math.max(this.time, next.due);
      this.timers.delete(next);
      next.fire();
    }
    this.time = end;
  }
}

/** A runner among fakes: a clock, a messenger and a server that do what the test says. */
export class GuardRig {
  readonly clock = new FakeClock();
  readonly sent: { response: ToolResponse; clientMessageId: string | undefined }[] = [];
  readonly audited: AuditEntry[] = [];
  readonly claims: string[] = [];
  readonly passes: string[] = [];
  readonly calls: CallRecord[] = [];
  readonly problems: unknown[] = [];
  readonly prompts: PromptQueue = createPrompts(this.clock);
  /** Messages that another device has. */
  readonly taken = new Set<string>();
  executors: readonly Executor[] = EXECUTORS;
  relation: GuardRelation | undefined = RELATION;
  manifest: VerifiedManifest | undefined = held();
  announced: string | null = held().hash;
  /** What the server would say if it were asked again. */
  current: VerifiedManifest | undefined;
  refreshed = 0;
  isLast = true;
  beforeClaim: () => void | Promise<void> = () => {};
  /** What other own devices have said is being looked at. */
  hearing: Promise<void> | undefined;
  auditFails = false;
  /** What sealing an answer waits for, and what becomes of it. */
  isSealing: Promise<void> | undefined;
  sendFails: Error | undefined;
  onCall: (record: CallRecord) => void = (record) => void this.calls.push(record);
  permissions!: Permissions;
  runner!: Runner;
  private seq = 0;
  readonly store: Store;

  constructor(store: Store = createMemoryStore()) {
    this.store = store;
  }

  async start(): Promise<this> {
    this.permissions = await loadPermissions(this.store, {
      deviceId: 'this-device',
      newId: () => crypto.randomUUID(),
      isListed: () => false,
    });
    this.runner = createRunner({
      messenger: {
        claim: async ({ messageId }) => {
          await this.beforeClaim();
          this.claims.push(messageId);
          return !this.taken.has(messageId);
        },
        pass: async ({ messageId }) => {
          this.passes.push(messageId);
          return this.isLast;
        },
        send: async ({ payload, clientMessageId, after, also }: Outgoing) => {
          await this.isSealing;
          if (this.sendFails !== undefined) throw this.sendFails;
          await after;
          if (also !== undefined) await this.store.write(also);
          if (payload.type === 'artifact')
            this.sent.push({ response: payload.artifact as ToolResponse, clientMessageId });
          return { messageId: 'm', seq: 1, clientMessageId: clientMessageId ?? '' };
        },
      },
      platform: this.clock,
      store: this.store,
      audit: {
        append: async (entry) => {
          if (this.auditFails) throw new Error('disk full');
          this.audited.push(entry);
        },
      },
      prompts: this.prompts,
      permissions: this.permissions,
      source: {
        prepare: async () => {},
        settled: async () => this.hearing,
        read: ({ agentId, conversationId }) => ({
          // Any other agent was granted the same, in a conversation of its own.
          relation: agentId === AGENT ? this.relation : { ...RELATION, agentId, conversationId },
          manifest: this.manifest,
          announcedHash: this.announced,
          agentName: 'Bot\u202e',
        }),
        refresh: async () => {
          this.refreshed++;
          if (this.current !== undefined) this.publish(this.current);
        },
      },
      findExecutor: (tool, scope) => finder(this.executors)(tool, scope),
      locale: () => 'en',
      onCall: (record) => this.onCall(record),
      onProblem: (error) => void this.problems.push(error),
    });
    return this;
  }

  publish(manifest: VerifiedManifest | Manifest): void {
    this.manifest =
      'tools' in manifest && manifest.tools instanceof Map
        ? (manifest as VerifiedManifest)
        : held(manifest as Manifest);
    this.announced = this.manifest.hash;
  }

  message(messageId = `message-${++this.seq}`): Incoming {
    return {
      conversationId: CONVERSATION,
      conversationKind: 'h2a',
      messageId,
      seq: ++this.seq,
      clientMessageId: messageId,
      sender: { kind: 'agent', id: AGENT },
      contentType: 'artifact',
      msgSubtype: 'artifact_tool_call',
      createdAt: this.clock.now().toISOString(),
      receivedAt: this.clock.now().toISOString(),
      isForUsAlone: false,
      payload: { type: 'text', text: '' },
    };
  }

  call(level: string, change: Partial<ToolCall> = {}): ToolCall {
    return {
      subtype: 'tool_call',
      call_id: 'call-1',
      tool_name: `say_${level}`,
      arguments: { text: 'hello' },
      permission_scope: `note:${level}`,
      timeout_ms: 60_000,
      ...change,
    };
  }

  async receive(level: string, change: Partial<ToolCall> = {}, message: Partial<Incoming> = {}): Promise<Incoming> {
    const whole = { ...this.message(), ...message };
    await this.runner.receive(whole, this.call(level, change));
    await this.settle();
    return whole;
  }

  /** Everything that can happen without time passing has happened. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.settle();
  }

  get prompt() {
    return this.prompts.getSnapshot()[0];
  }

  get answers(): ToolResponse[] {
    return this.sent.map(({ response }) => response);
  }
}
