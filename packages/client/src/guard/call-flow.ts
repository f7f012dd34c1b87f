import { createRetrier, isParleyError, type Locale } from '@parley/base';
import { ApiError, type Messenger, type Platform, type Store } from '@parley/messenger';
import type { ToolResponse } from '@parley/protocol';
import type { AuditEntry, AuditLog } from '../audit/types.ts';
import { type Edge, type Executor, ExecutorError } from '../executors/types.ts';
import type { Approval } from './approval.ts';
import { toEntry } from './audit-entry.ts';
import { type CallRecord, isMarkedSent, markSent, unmarkSent, writeRecord } from './call-record.ts';
import { type Call, decide, type GuardRelation, type Permission, type Question, type Verdict } from './decide.ts';
import { type Execution, execute, explainFailure, type Running } from './execute.ts';
import { TOO_LATE } from './explain-reason.ts';
import type { Permissions } from './permissions.ts';
import type { OpenPrompt, PromptQueue } from './prompts.ts';
import { type CallResult, platformError, toResponse } from './response.ts';
import type { VerifiedManifest } from './verified-manifest.ts';
import { type Remember, toReach } from './window.ts';

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
  /** Resolves when what other own devices have said was looked at: `read` knows it then (EE-23). */
  settled(): Promise<unknown>;
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
  /** The edge that this executor found for the call (CG-15). */
  located?: { readonly executor: Executor; readonly edge: Edge | undefined } | undefined;
  /** While it runs: what the person allowed this very call, by edge. */
  entered?: Map<string | undefined, Approval>;
  running?: Execution | undefined;
  /** Resolves with the answer, or with undefined if another device gives it. */
  done: Promise<ToolResponse | undefined>;
}

const FAILED = 'The device could not handle the call.';
const CROWDED =
  'Too many questions of this agent wait for the user already. Call again after retry_after_ms, with a new call_id.';

/** How long an approval is valid if the call does not run at once (CG-7). */
const APPROVAL_MS = 60_000;

/** A server that changes its mind again and again is believed when it takes away. */
const MAX_REFRESHES = 3;

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
  /** Shows how far the call is. */
  tell(record: CallRecord): void;
  /** Hands the answer to the messenger. */
  answer(call: ActiveCall, response: ToolResponse): void;
  send(message: { conversationId: string; messageId: string }, response: ToolResponse): Promise<unknown>;
  judge(call: ActiveCall, approval: Approval | undefined, edge?: Edge): Verdict;
  /** Did the server give the message to this device? Asks again while the server is busy. */
  claimMessage(message: { conversationId: string; messageId: string }): Promise<boolean>;
  /** True also if the server gives the message to nobody: then it is recorded here. */
  orNobodys(claimed: Promise<boolean>): Promise<boolean>;
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

  function judge(call: ActiveCall, approval: Approval | undefined, edge = call.located?.edge): Verdict {
    const { findExecutor } = options;
    const remembered = permissions.getSnapshot();
    // A running call began in time (TC-2); only a question about it could come too late.
    const record = call.running === undefined ? call.record : { ...call.record, expiresAt: Infinity };
    return decide(record, { now: now(), ...source.read(record), findExecutor, ...remembered, edge, approval });
  }

  function move(call: ActiveCall, change: Partial<CallRecord>): Promise<void> {
    call.record = { ...call.record, ...change };
    tell(call.record);
    return untilSpace(() => writeRecord(store, call.record));
  }

  /** Whoever shows the call cannot keep it from being answered (CG-16). */
  function tell(record: CallRecord): void {
    try {
      options.onCall?.(record);
    } catch (error) {
      options.onProblem?.(error);
    }
  }

  async function process(call: ActiveCall): Promise<ToolResponse | undefined> {
    const settled = await settle(call).catch((error: unknown): Settled => {
      if (hooks.isClosed()) throw error;
      // Whatever failed, the agent gets an answer and the log an entry (CG-16).
      options.onProblem?.(error);
      return { result: platformError(FAILED) };
    });
    if (settled !== undefined) return conclude(call, settled.result, settled.permission);
    return hooks.isClosed() ? undefined : leaveToOtherDevice(call);
  }

  /** Takes one step after the other; returns undefined if another device has the call, or the client closes. */
  async function settle(call: ActiveCall): Promise<Settled | undefined> {
    await source.prepare(call.record);
    let refreshes = 0;
    let isFresh = false;
    while (!hooks.isClosed() && (!call.gone || isRefusedByAll(call.record))) {
      const verdict = judge(call, call.approval);
      if (verdict.decision === 'refuse' && verdict.stale && !isFresh && refreshes < MAX_REFRESHES) {
        refreshes++;
        isFresh = true;
        await source.refresh(call.record.agentId);
        continue;
      }
      const settled = await carryOut(call, verdict);
      if (settled !== undefined) return settled;
      // What allows the call may be taken away meanwhile by what the server no longer says (EE-24).
      isFresh = false;
    }
    return undefined;
  }

  const isLocated = (call: ActiveCall, { level, executor }: Question | Permission): boolean =>
    level === 'low' || call.located?.executor === executor;

  /** Finds the edge of the call; returns the answer if its arguments have none. */
  async function locate(call: ActiveCall, executor: Executor): Promise<Settled | undefined> {
    try {
      call.located = { executor, edge: await executor.edge?.(call.record.arguments) };
      return undefined;
    } catch (error) {
      if (!(error instanceof ExecutorError)) options.onProblem?.(error);
      return { result: explainFailure(error) };
    }
  }

  interface Settled {
    readonly result: CallResult;
    readonly permission?: Permission;
  }

  /** Takes the next step; returns undefined if the call has to be decided again after it. */
  async function carryOut(call: ActiveCall, verdict: Verdict): Promise<Settled | undefined> {
    if (verdict.decision !== 'refuse' && isDiskFull()) return { result: platformError(DISK_FULL) };
    if (verdict.decision !== 'refuse' && !isLocated(call, verdict)) return locate(call, verdict.executor);
    if (verdict.decision === 'ask') return ask(call, verdict);
    if (verdict.decision === 'refuse') {
      // Another device of the account may have the executor that is missing here (CG-11).
      const mayAnswer = verdict.stage !== 'executor' || call.claimed || (await pass(call));
      if (!mayAnswer) call.gone = true;
      return mayAnswer ? { result: verdict } : undefined;
    }
    if (!(await start(call))) return undefined;
    if (isDiskFull()) return { result: platformError(DISK_FULL) };
    let permission = judgeStarted(call);
    // That is written to disk, and meanwhile the permission may be taken back.
    if (permission && (await remember(call, permission, call.approval))) permission = judgeStarted(call);
    return permission && { result: await run(call, permission), permission };
  }

  /** What was true when the call was allowed must still be true when it runs (CG-7). */
  function judgeStarted(call: ActiveCall): Permission | undefined {
    const verdict = judge(call, call.approval);
    return verdict.decision === 'run' && isLocated(call, verdict) ? verdict : undefined;
  }

  async function ask(call: ActiveCall, question: Question): Promise<Settled | undefined> {
    call.approval = undefined;
    const answer = await askPerson(call, question);
    if (answer === 'withdrawn') return undefined;
    if ('reason' in answer) return { result: answer };
    call.approval = answer;
    return undefined;
  }

  type Refused = Extract<CallResult, { status: 'denied' | 'error' }>;

  /** Returns the approval or the refusal; `withdrawn` if something changed and the call has to be decided again. */
  async function askPerson(
    call: ActiveCall,
    question: Question,
    { leadsOn = false } = {},
  ): Promise<Approval | Refused | 'withdrawn'> {
    const { record } = call;
    const { agentId } = record;
    const retryAfterMs = prompts.retryAfter(agentId);
    if (retryAfterMs !== undefined) return { status: 'denied', reason: 'user_timeout', message: CROWDED, retryAfterMs };
    const { manifest, agentName } = source.read(record);
    call.question = question;
    call.asked = prompts.ask(record, question, { agentName, locale: options.locale(), leadsOn });
    const answer = await call.asked.answer;
    call.asked = undefined;
    call.question = undefined;
    switch (answer.kind) {
      case 'allow':
        return approve(record, question, { manifestHash: manifest!.hash, now: now(), remember: answer.remember });
      case 'withdrawn':
        return 'withdrawn';
      case 'timeout':
        return { status: 'denied', reason: 'user_timeout' };
      case 'too_late':
        return { status: 'denied', reason: 'user_timeout', message: TOO_LATE, retryAfterMs: answer.retryAfterMs };
      case 'stop_asking': {
        const { until } = await untilSpace(() => permissions.stopAsking(agentId, now()));
        hooks.recheck(agentId);
        return { status: 'denied', reason: 'user_refused', retryAfterMs: until - now() };
      }
      case 'always_deny':
        await untilSpace(() => permissions.denyAlways({ agentId, toolName: record.toolName, createdAt: now() }));
        hooks.recheck(agentId);
    }
    return { status: 'denied', reason: 'user_refused' };
  }

  /**
   * Before the call runs, the disk records that it may have run, and the server has given it to this device (CG-11).
   */
  async function start(call: ActiveCall): Promise<boolean> {
    const [claimed] = await Promise.all([
      claim(call),
      call.record.state === 'running' ? undefined : move(call, { state: 'running', startedAt: now() }),
      // It may have been said while the person was asked.
      source.settled(),
    ]);
    return claimed;
  }

  async function claim(call: ActiveCall): Promise<boolean> {
    if (call.claimed || call.gone) return call.claimed;
    const claimed = await claimMessage(call.record, () => call.gone);
    call.claimed ||= claimed;
    call.gone = !call.claimed;
    return call.claimed;
  }

  /** What the server gives to nobody, as when the agent has left, is not run, but recorded all the same (CG-16). */
  function orNobodys(claimed: Promise<boolean>): Promise<boolean> {
    return claimed.catch((error: unknown) => {
      if (hooks.isClosed() || !(error instanceof ApiError)) throw error;
      options.onProblem?.(error);
      return true;
    });
  }

  const claimMessage = (message: { conversationId: string; messageId: string }, isGone = () => false) =>
    untilFree(() => messenger.claim(message), isGone);

  /** Asks the server again while it is busy; false once another device has the call. */
  async function untilFree(ask: () => Promise<boolean>, isGone: () => boolean): Promise<boolean> {
    while (!isGone()) {
      try {
        return await ask();
      } catch (error) {
        if (hooks.isClosed() || !isBusy(error)) throw error;
        await new Promise<void>((resolve) => void platform.setTimer(resolve, error.retryAfterMs ?? BUSY_MS));
      }
    }
    return false;
  }

  async function pass(call: ActiveCall): Promise<boolean> {
    const { messageId } = call.record;
    const later = new Promise<boolean>((resolve) => waitingForOthers.set(messageId, () => resolve(true)));
    const gone = new Promise<boolean>((resolve) => {
      call.asked = { answer: later.then(() => ({ kind: 'withdrawn' })), withdraw: () => resolve(false) };
    });
    const last = await untilFree(
      () => messenger.pass(call.record),
      () => call.gone,
    );
    const answer = last || (await Promise.race([later, gone]));
    waitingForOthers.delete(messageId);
    call.asked = undefined;
    return answer && !call.gone && !hooks.isClosed();
  }

  async function run(call: ActiveCall, permission: Permission): Promise<CallResult> {
    const { record, approval } = call;
    const { executor, timeoutMs } = permission;
    call.entered = new Map(permission.by === 'prompt' ? [[permission.edge?.id, approval!]] : []);
    // An approval is for one use: from here on it is used, whatever happens.
    if (approval !== undefined) call.approval = { ...approval, used: true };
    const execution = execute(executor, {
      args: record.arguments,
      timeoutMs,
      locale: options.locale(),
      platform,
      enter: (edge, running) => enter(call, edge, running),
    });
    const end = (given: CallResult) => {
      execution.abort(given);
      call.asked?.withdraw();
    };
    call.running = { result: execution.result, abort: end };
    const result = await execution.result;
    call.running = undefined;
    call.asked?.withdraw();
    return result;
  }

  /** Opens the window that the person chose, or extends the one that covers the call. True if anything was written. */
  async function remember(
    { record }: ActiveCall,
    { by, level, subject, edge, window }: Pick<Permission, 'by' | 'level' | 'subject' | 'edge' | 'window'>,
    approval: Approval | undefined,
  ): Promise<boolean> {
    if (level !== 'medium') return false;
    const place = { edge, argumentsDigest: record.argumentsDigest };
    const reach = by === 'prompt' && approval !== undefined ? toReach(approval.remember, place) : window?.reach;
    if (reach === undefined) return false;
    await permissions.useWindow(record.agentId, { ...subject, reach }, now());
    if (by === 'prompt') hooks.recheck(record.agentId);
    return true;
  }

  /** The running call leads on to another edge: it goes there only if an answer of the person covers that (CG-15). */
  async function enter(call: ActiveCall, edge: Edge, running: Running): Promise<void> {
    while (!running.isOver()) {
      const allowed = call.entered?.get(edge.id);
      const verdict = judge(call, allowed && { ...allowed, expiresAt: Infinity }, edge);
      if (verdict.decision === 'run')
        return void (verdict.by === 'window' && (await remember(call, verdict, undefined)));
      if (verdict.decision === 'refuse') return running.abort(verdict);
      const answer = await askPerson(call, verdict, { leadsOn: true });
      if (answer === 'withdrawn') continue;
      if ('reason' in answer) return running.abort(answer);
      call.entered?.set(edge.id, answer);
      await remember(call, { ...verdict, by: 'prompt' }, answer);
    }
  }

  /** Claims the call if it is not yet claimed, records it, then answers (CG-9). */
  async function conclude(
    call: ActiveCall,
    result: CallResult,
    permission?: Permission,
  ): Promise<ToolResponse | undefined> {
    if (hooks.isClosed() && call.record.state !== 'running') return undefined;
    const isOurs = await orNobodys(claim(call));
    if (!isOurs && !isRefusedByAll(call.record)) return leaveToOtherDevice(call);
    let response = toResponse(call.record.callId, result);
    const entry = toEntry(call.record, response, {
      at: platform.now(),
      by: permission?.by,
      ...source.read(call.record),
    });
    call.record = { ...call.record, state: 'answered', response };
    tell(call.record);
    const recorded = keep(entry, call.record);
    if (!isOurs) {
      // Another device, perhaps another member's, tells the agent the same.
      await recorded;
      await store.write(markSent(call.record));
      return response;
    }
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
      await Promise.all([move(call, { state: 'answered', response }), store.write(unmarkSent(call.record))]);
      await sent.catch(() => {});
      sent = sendOnce(call, response);
    }
    markWhenSent(call.record, sent);
    return response;
  }

  /**
   * Begun in one turn, both are one batch. Where there is no room for it, the entry of the audit log comes first: a record
   * without it would be answered after a crash, and nobody could tell that the call has run (CG-9).
   */
  async function keep(entry: AuditEntry, record: CallRecord): Promise<void> {
    const append = () => audit.append(entry);
    const write = () => writeRecord(store, record);
    const results = await Promise.allSettled([append(), write()]);
    for (const [index, again] of [append, write].entries()) {
      const result = results[index]!;
      if (result.status === 'fulfilled') continue;
      if (!isParleyError(result.reason, 'STORE_FULL')) throw result.reason;
      await untilSpace(again);
    }
  }

  /** Marks an answer that the server has, or will never accept, so that it is not sent again at every start. */
  function markWhenSent(record: CallRecord, sent: Promise<unknown>): void {
    sent
      .catch((error: unknown) => {
        options.onProblem?.(error);
        if (isTemporary(error)) throw error;
      })
      .then(async () => {
        if (!(await isMarkedSent(store, record))) await store.write(markSent(record));
      })
      .catch(() => {});
  }

  /** The write that hands the answer to the messenger also marks the call as sent: the next start does not repeat it. */
  function sendOnce({ record }: ActiveCall, response: ToolResponse, after?: Promise<unknown>): Promise<unknown> {
    const also = markSent(record);
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

  return {
    process,
    conclude,
    tell,
    answer,
    send,
    judge,
    claimMessage,
    orNobodys,
    othersPassed,
    untilSpace,
    wake: space.wake,
  };
}

/** The message id is derived from the call's id: after a crash it is the same message. */
function toMessage(
  { conversationId, messageId }: Pick<CallRecord, 'conversationId' | 'messageId'>,
  response: ToolResponse,
) {
  const payload = { type: 'artifact', artifact: response } as const;
  return { conversationId, payload, clientMessageId: `answer-${messageId}` };
}

/**
 * In a group each member's devices refuse alike (TC-8), and nothing ran anywhere: who gives the answer to the agent makes
 * no difference to what is shown here.
 */
const isRefusedByAll = ({ conversationKind }: Pick<CallRecord, 'conversationKind'>) => conversationKind !== 'h2a';

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

interface Consent {
  readonly manifestHash: string;
  readonly now: number;
  readonly remember: Remember;
}

function approve(call: CallRecord, { tool, level, edge }: Question, at: Consent): Approval {
  return {
    callId: call.callId,
    conversationId: call.conversationId,
    argumentsDigest: call.argumentsDigest,
    edge: edge?.id,
    manifestHash: at.manifestHash,
    toolDigest: tool.digest,
    level,
    remember: at.remember,
    expiresAt: Math.min(call.expiresAt, at.now + APPROVAL_MS),
    used: false,
  };
}
