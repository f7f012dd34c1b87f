import { createRetrier, isParleyError, type Locale } from '@parley/base';
import { ApiError, type Messenger, type Platform, type Store } from '@parley/messenger';
import type { ToolResponse } from '@parley/protocol';
import type { AuditLog } from '../audit/types.ts';
import type { Executor } from '../executors/types.ts';
import type { Approval } from './approval.ts';
import { toEntry } from './audit-entry.ts';
import { type CallRecord, callKey, readRecord, toBatch, writeRecord } from './call-record.ts';
import { type Call, decide, type GuardRelation, type Permission, type Question, type Verdict } from './decide.ts';
import { type Execution, execute } from './execute.ts';
import type { Permissions } from './permissions.ts';
import type { OpenPrompt, PromptQueue } from './prompts.ts';
import { type CallResult, platformError, toResponse } from './response.ts';
import type { VerifiedManifest } from './verified-manifest.ts';

/** What is known about the agent of a call. */
interface GuardContext {
  readonly relation: GuardRelation | undefined;
  readonly manifest: VerifiedManifest | undefined;
  readonly announcedHash: string | null;
  readonly agentName: string;
}

export interface GuardContextSource {
  /** Loads what is not known yet, so that `read` knows it. */
  prepare(call: Pick<Call, 'agentId' | 'conversationId' | 'conversationKind'>): Promise<void>;
  read(call: Pick<Call, 'agentId' | 'conversationId'>): GuardContext;
  /** Asks the server again which manifest is the current one (CG-2). */
  refresh(agentId: string): Promise<void>;
}

export interface FlowOptions {
  readonly messenger: Pick<Messenger, 'claim' | 'pass' | 'send'>;
  readonly platform: Pick<Platform, 'now' | 'setTimer'>;
  readonly store: Store;
  readonly audit: Pick<AuditLog, 'append'>;
  readonly prompts: PromptQueue;
  readonly permissions: Permissions;
  readonly source: GuardContextSource;
  findExecutor(tool: string, scope: string): Executor | undefined;
  locale(): Locale;
  /** A call was received or reached its next state. */
  onCall?(record: CallRecord): void;
  onProblem?(error: unknown): void;
}

/** A call that is being decided, run or answered. */
export interface ActiveCall {
  record: CallRecord;
  claimed: boolean;
  /** True once another device has the call. */
  gone: boolean;
  /** What the call waits for: an answer of the person, or other devices. */
  asked?: OpenPrompt | undefined;
  question?: Question | undefined;
  approval?: Approval | undefined;
  running?: Execution | undefined;
  /** Resolves with the answer, or with undefined if another device gives it. */
  done: Promise<ToolResponse | undefined>;
}

/** How long an approval is valid if the call does not run at once (CG-7). */
const APPROVAL_MS = 60_000;

const BUSY_MS = 1_000;
const FULL_MS = [1_000, 2_000, 5_000] as const;
const DISK_FULL = 'The disk of the device is full. Nothing is run there until its owner has made room.';

interface Hooks {
  isClosed(): boolean;
  /** An answer may decide other open calls of the agent, too. */
  recheck(agentId: string): void;
}

export interface Flow {
  /** Carries a call from the first decision to the answer. */
  process(call: ActiveCall): Promise<ToolResponse | undefined>;
  /** Claims the call if it is not yet claimed, records it, then answers (CG-9). */
  conclude(call: ActiveCall, result: CallResult, permission?: Permission): Promise<ToolResponse | undefined>;
  /** Hands the answer to the messenger. */
  answer(call: ActiveCall, response: ToolResponse): void;
  send(message: { conversationId: string; messageId: string }, response: ToolResponse): Promise<unknown>;
  judge(call: ActiveCall, approval: Approval | undefined): Verdict;
  othersPassed(messageId: string): void;
  /** Repeats a write until the disk has room for it; once it is closed, only once more. */
  untilSpace<Result>(write: () => Promise<Result>): Promise<Result>;
  /** Ends what waits for space, once it is closed. */
  wake(): void;
}

/** Takes one call through the guard: reads the state, decides, asks, claims, runs, records, answers. */
export function createFlow(options: FlowOptions, hooks: Hooks): Flow {
  const { messenger, platform, store, audit, prompts, permissions, source } = options;
  const waitingForOthers = new Map<string, () => void>();
  const now = () => platform.now().getTime();
  const space = createRetrier({ delaysMs: FULL_MS, random: () => 1, setTimer: platform.setTimer });
  const untilSpace: Flow['untilSpace'] = (write) =>
    space.run(write, (error) => isParleyError(error, 'STORE_FULL') && !hooks.isClosed());
  /** What has run must be recorded, for which a full disk has only a reserve: nothing new is run on it. */
  const isDiskFull = () => store.shortage?.() !== undefined;

  function judge(call: ActiveCall, approval: Approval | undefined): Verdict {
    const { windows, denials } = permissions.getSnapshot();
    const { findExecutor } = options;
    return decide(call.record, { now: now(), ...source.read(call.record), findExecutor, windows, denials, approval });
  }

  function move(call: ActiveCall, change: Partial<CallRecord>): Promise<void> {
    call.record = { ...call.record, ...change };
    options.onCall?.(call.record);
    return untilSpace(() => writeRecord(store, call.record));
  }

  async function process(call: ActiveCall): Promise<ToolResponse | undefined> {
    await source.prepare(call.record);
    let refreshed = false;
    while (!hooks.isClosed() && !call.gone) {
      const verdict = judge(call, call.approval);
      if (verdict.decision === 'refuse' && verdict.stale && !refreshed) {
        refreshed = true;
        await source.refresh(call.record.agentId);
        continue;
      }
      const settled = await carryOut(call, verdict);
      if (settled !== undefined) return conclude(call, settled.result, settled.permission);
    }
    return hooks.isClosed() ? undefined : leaveToOtherDevice(call);
  }

  interface Settled {
    readonly result: CallResult;
    readonly permission?: Permission;
  }

  /** Takes the next step; returns undefined if the call has to be decided again after it. */
  async function carryOut(call: ActiveCall, verdict: Verdict): Promise<Settled | undefined> {
    if (verdict.decision !== 'refuse' && isDiskFull()) return { result: platformError(DISK_FULL) };
    if (verdict.decision === 'ask') return ask(call, verdict);
    if (verdict.decision === 'refuse') {
      // Another device of the account may have the executor that is missing here (CG-11).
      const mayAnswer = verdict.stage !== 'executor' || call.claimed || (await pass(call));
      if (!mayAnswer) call.gone = true;
      return mayAnswer ? { result: verdict } : undefined;
    }
    if (!(await start(call))) return undefined;
    if (isDiskFull()) return { result: platformError(DISK_FULL) };
    // What was true when the call was allowed must still be true when it runs (CG-7).
    const again = judge(call, call.approval);
    return again.decision === 'run' ? { result: await run(call, again), permission: again } : undefined;
  }

  async function ask(call: ActiveCall, question: Question): Promise<Settled | undefined> {
    const { record } = call;
    const { manifest, agentName } = source.read(record);
    call.approval = undefined;
    call.question = question;
    call.asked = prompts.ask(record, question, { agentName, locale: options.locale() });
    const answer = await call.asked.answer;
    call.asked = undefined;
    call.question = undefined;
    switch (answer) {
      case 'allow':
        call.approval = approve(record, question, { manifestHash: manifest!.hash, now: now() });
        return undefined;
      case 'withdrawn':
        return undefined;
      case 'timeout':
        return { result: { status: 'denied', reason: 'user_timeout' } };
      case 'always_deny':
        await untilSpace(() =>
          permissions.denyAlways({ agentId: record.agentId, toolName: record.toolName, createdAt: now() }),
        );
        hooks.recheck(record.agentId);
    }
    return { result: { status: 'denied', reason: 'user_refused' } };
  }

  /**
   * Before the call runs, the disk records that it may have run, and the server has given it to this device (CG-11).
   */
  async function start(call: ActiveCall): Promise<boolean> {
    const [claimed] = await Promise.all([
      claim(call),
      call.record.state === 'running' ? undefined : move(call, { state: 'running', startedAt: now() }),
    ]);
    return claimed;
  }

  async function claim(call: ActiveCall): Promise<boolean> {
    while (!call.claimed && !call.gone) {
      try {
        call.claimed = await messenger.claim(call.record);
        call.gone = !call.claimed;
      } catch (error) {
        if (hooks.isClosed() || !isBusy(error)) throw error;
        await new Promise<void>((resolve) => void platform.setTimer(resolve, error.retryAfterMs ?? BUSY_MS));
      }
    }
    return call.claimed;
  }

  async function pass(call: ActiveCall): Promise<boolean> {
    const { messageId } = call.record;
    const later = new Promise<boolean>((resolve) => waitingForOthers.set(messageId, () => resolve(true)));
    const gone = new Promise<boolean>((resolve) => {
      call.asked = { answer: later.then(() => 'withdrawn'), withdraw: () => resolve(false) };
    });
    const last = await messenger.pass(call.record);
    const answer = last || (await Promise.race([later, gone]));
    waitingForOthers.delete(messageId);
    call.asked = undefined;
    return answer && !call.gone && !hooks.isClosed();
  }

  async function run(call: ActiveCall, { executor, by, level, subject, timeoutMs }: Permission): Promise<CallResult> {
    const { record } = call;
    // An approval is for one use: from here on it is used, whatever happens.
    if (call.approval !== undefined) call.approval = { ...call.approval, used: true };
    if (level === 'medium' && by !== 'none') {
      await untilSpace(() => permissions.useWindow(record.agentId, subject, now()));
      if (by === 'prompt') hooks.recheck(record.agentId);
    }
    const locale = options.locale();
    call.running = execute(executor, { args: record.arguments, timeoutMs, locale, platform });
    const result = await call.running.result;
    call.running = undefined;
    return result;
  }

  /** Claims the call if it is not yet claimed, records it, then answers (CG-9). */
  async function conclude(
    call: ActiveCall,
    result: CallResult,
    permission?: Permission,
  ): Promise<ToolResponse | undefined> {
    if (hooks.isClosed() && call.record.state !== 'running') return undefined;
    if (!(await claim(call))) return leaveToOtherDevice(call);
    let response = toResponse(call.record.callId, result);
    const entry = toEntry(call.record, response, {
      at: platform.now(),
      by: permission?.by,
      ...source.read(call.record),
    });
    const recorded = Promise.all([untilSpace(() => audit.append(entry)), move(call, { state: 'answered', response })]);
    // The answer is sealed while the record is being written, and joins the same write if possible.
    let sent = sendOnce(call, response, recorded);
    // It may fail before `recorded` settles; the failure is handled afterwards.
    sent.catch(() => {});
    try {
      await recorded;
    } catch (error) {
      options.onProblem?.(error);
      response = toResponse(call.record.callId, platformError('The device could not record the call.'));
      // This comes first: with a broken store it fails at once, while sending may wait for the network.
      await move(call, { state: 'answered', response });
      await sent.catch(() => {});
      sent = sendOnce(call, response);
    }
    markWhenSent(call.record, sent);
    return response;
  }

  /** Marks an answer that the server has, or will never accept, so that it is not sent again at every start. */
  function markWhenSent(record: CallRecord, sent: Promise<unknown>): void {
    sent
      .catch((error: unknown) => {
        options.onProblem?.(error);
        if (isTemporary(error)) throw error;
      })
      .then(async () => {
        // The record is read again, because the person may have erased its contents meanwhile.
        const kept = await readRecord(store, callKey(record));
        if (kept !== undefined && kept.sent !== true) await writeRecord(store, { ...kept, sent: true });
      })
      .catch(() => {});
  }

  /** The write that hands the answer to the messenger also marks the call as sent: the next start does not repeat it. */
  function sendOnce({ record }: ActiveCall, response: ToolResponse, after?: Promise<unknown>): Promise<unknown> {
    const also = toBatch({ ...record, sent: true });
    const message = { ...toMessage(record, response), also, ...(after === undefined ? {} : { after }) };
    return untilSpace(() => messenger.send(message));
  }

  async function leaveToOtherDevice(call: ActiveCall): Promise<undefined> {
    await move(call, { state: 'elsewhere' });
    return undefined;
  }

  const answer: Flow['answer'] = (call, response) => markWhenSent(call.record, sendOnce(call, response));
  const send: Flow['send'] = (message, response) => untilSpace(() => messenger.send(toMessage(message, response)));
  const othersPassed: Flow['othersPassed'] = (messageId) => waitingForOthers.get(messageId)?.();

  return { process, conclude, answer, send, judge, othersPassed, untilSpace, wake: space.wake };
}

/** The message id is derived from the call's id: after a crash it is the same message. */
function toMessage(
  { conversationId, messageId }: Pick<CallRecord, 'conversationId' | 'messageId'>,
  response: ToolResponse,
) {
  const payload = { type: 'artifact', artifact: response } as const;
  return { conversationId, payload, clientMessageId: `answer-${messageId}` };
}

/** Is the server only busy? */
function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && ['UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);
}

/** May sending succeed later? */
function isTemporary(error: unknown): boolean {
  if (isParleyError(error, 'UNREACHABLE', 'UNAVAILABLE')) return true;
  const isFinal = isParleyError(error, 'IDENTITY_CHANGED', 'CONVERSATION_CHANGED', 'WEAKER_MODE', 'NO_RECIPIENT');
  return !(isFinal || error instanceof ApiError);
}

function approve(call: CallRecord, { tool, level }: Question, at: { manifestHash: string; now: number }): Approval {
  return {
    callId: call.callId,
    conversationId: call.conversationId,
    argumentsDigest: call.argumentsDigest,
    manifestHash: at.manifestHash,
    toolDigest: tool.digest,
    level,
    expiresAt: Math.min(call.expiresAt, at.now + APPROVAL_MS),
    used: false,
  };
}
