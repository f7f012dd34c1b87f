import type { Incoming } from '@parley/messenger';
import type { ToolCall, ToolResponse } from '@parley/protocol';
import { toEntry } from './audit-entry.ts';
import { type ActiveCall, createFlow, type FlowOptions } from './call-flow.ts';
import {
  type CallRecord,
  callKey,
  hasResult,
  isSameRequest,
  limitLife,
  listRecords,
  readRecord,
  toRecord,
  withoutResult,
  writeRecord,
} from './call-record.ts';
import type { Question, Verdict } from './decide.ts';
import { type CallResult, platformError, toResponse } from './response.ts';

export interface Runner {
  /** Resolves when the store has been given the call; deciding, asking and running continue in the background. */
  receive(message: Incoming, call: ToolCall): Promise<void>;
  /** Another device of this account has the call: nobody is asked here any more (CG-11). */
  claimedElsewhere(message: Pick<Incoming, 'conversationId' | 'messageId'>): void;
  /** No other device that could run the call is left: this one answers that it cannot be run (CG-11). */
  othersPassed(message: Pick<Incoming, 'messageId'>): void;
  /** Another device of this account has answered. */
  answeredElsewhere(conversationId: string, response: ToolResponse): Promise<void>;
  /** Decides open calls again, of one agent or of all, after something changed that decisions depend on. */
  recheck(agentId?: string): void;
  /** The person stops a running call. The answer is an error and no refusal: part of it may have been done. */
  cancel(call: Pick<CallRecord, 'conversationId' | 'callId'>): void;
  /** Continues with the calls that the last run of the program left unfinished. */
  resume(): Promise<void>;
  /** Drops the results of calls that were answered a day before this time. */
  prune(time: Date): Promise<void>;
  /** Stops asking, running and answering; open calls continue after the next start. */
  close(): Promise<void>;
}

const CANCELLED = 'The person stopped the tool while it was running; part of it may have been done.';
const INTERRUPTED = 'The device stopped while the tool was running; whether it finished is not known.';
/** How long an answer can be repeated. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const FORGOTTEN = 'The call was answered before; its result is no longer kept.';
const REUSED = 'This call_id was used before for another request. Take a new one for each call.';

/** Receives each call once and carries it through restarts, other devices and changed permissions (CG-11). */
export function createRunner(options: FlowOptions): Runner {
  const { platform, store, audit, source } = options;
  const active = new Map<string, ActiveCall>();
  let closed = false;
  const flow = createFlow(options, { isClosed: () => closed, recheck });
  const report = (error: unknown): undefined => void options.onProblem?.(error);

  function begin(record: CallRecord, work: (call: ActiveCall) => Promise<ToolResponse | undefined>): ActiveCall {
    const key = callKey(record);
    const call: ActiveCall = { record, claimed: record.isForUsAlone, gone: false, done: Promise.resolve(undefined) };
    active.set(key, call);
    call.done = work(call)
      .catch(report)
      .finally(() => active.delete(key));
    return call;
  }

  const isOurs = async (message: Pick<Incoming, 'conversationId' | 'messageId' | 'isForUsAlone'>): Promise<boolean> =>
    message.isForUsAlone || flow.claimMessage(message);

  /** Answers the same call in another message with the first one's answer, once there is one (CG-11). */
  async function repeat(message: Incoming, answered: Promise<ToolResponse | undefined>): Promise<void> {
    const response = await answered;
    if (response === undefined || closed || !(await isOurs(message))) return;
    await flow.send(message, whatIsStillKnown(response));
  }

  async function refuseReuse(record: CallRecord): Promise<void> {
    if (!(await flow.orNobodys(isOurs(record)))) return;
    const result: CallResult = { status: 'error', reason: 'TOOL_INVALID_ARGUMENTS', message: REUSED };
    const response = toResponse(record.callId, result);
    const entry = toEntry(record, response, { at: platform.now(), by: undefined, ...source.read(record) });
    await flow.untilSpace(() => audit.append(entry));
    await flow.send(record, response);
  }

  function recheck(agentId?: string): void {
    for (const call of active.values()) {
      if (agentId !== undefined && call.record.agentId !== agentId) continue;
      const { question } = call;
      if (question !== undefined && !isStill(question, flow.judge(call, undefined, question.edge)))
        call.asked?.withdraw();
      if (call.running !== undefined) {
        const verdict = flow.judge(call, call.approval && { ...call.approval, used: false });
        if (verdict.decision === 'refuse' && verdict.stage === 'grant')
          call.running.abort(verdict satisfies CallResult);
      }
    }
  }

  const findByMessage = (messageId: string) =>
    [...active.values()].find(({ record }) => record.messageId === messageId);

  return {
    async receive(message, toolCall) {
      const record = toRecord(message, toolCall, platform.now().getTime());
      const key = callKey(record);
      const known = active.get(key)?.record ?? (await readRecord(store, key));
      if (known !== undefined && known.messageId !== record.messageId) {
        const again = isSameRequest(known, record)
          ? repeat(message, active.get(key)?.done ?? Promise.resolve(known.response))
          : refuseReuse(record);
        again.catch(report);
        return;
      }
      // The same message arrived again: it is on disk, but the acknowledgement got lost.
      if (known !== undefined) return;
      // Not awaited: the store keeps the order, so whatever is written because of it, an acknowledgement too, is on disk
      // after it. Otherwise a conversation could take only one call per write.
      let call: ActiveCall | undefined;
      flow.untilSpace(() => writeRecord(store, call?.record ?? record)).catch(report);
      flow.tell(record);
      call = begin(record, flow.process);
    },
    claimedElsewhere({ messageId }) {
      const call = findByMessage(messageId);
      if (call === undefined || call.claimed) return;
      call.gone = true;
      call.asked?.withdraw();
    },
    othersPassed({ messageId }) {
      flow.othersPassed(messageId);
    },
    async answeredElsewhere(conversationId, response) {
      const key = callKey({ conversationId, callId: response.call_id });
      const call = active.get(key);
      if (call !== undefined) {
        if (call.claimed) return;
        call.gone = true;
        call.asked?.withdraw();
        await call.done;
      }
      const record = call?.record ?? (await readRecord(store, key));
      if (record === undefined || record.state === 'answered') return;
      const answered: CallRecord = { ...record, state: 'answered', response, sent: true };
      // What the person has erased is not shown again because another device answers (CG-16).
      if (!record.erased) flow.tell(answered);
      await writeRecord(store, record.erased ? withoutResult(answered) : answered);
    },
    recheck,
    cancel: (call) => active.get(callKey(call))?.running?.abort(platformError(CANCELLED)),
    async resume() {
      const now = platform.now().getTime();
      for (const held of await listRecords(store)) {
        // An earlier version kept calls for as long as they wished.
        const record = { ...held, expiresAt: limitLife(held.expiresAt, now) };
        if (active.has(callKey(record))) continue;
        if (record.state === 'waiting') begin(record, flow.process);
        if (record.state === 'running') begin(record, (call) => flow.conclude(call, platformError(INTERRUPTED)));
        if (record.state === 'answered' && !record.sent && record.response) {
          // The person may have erased the result before it could leave.
          const response = whatIsStillKnown(record.response);
          begin(record, async (call) => {
            flow.answer(call, response);
            return response;
          });
        }
      }
    },
    async prune(time) {
      const old = time.getTime() - KEPT_MS;
      for (const record of await listRecords(store)) {
        if (active.has(callKey(record))) continue;
        const isOld = record.sent === true && Date.parse(record.createdAt) < old;
        if (isOld && record.response?.result !== undefined) await writeRecord(store, withoutResult(record));
      }
    },
    async close() {
      closed = true;
      const open = [...active.values()];
      for (const call of open) {
        call.asked?.withdraw();
        call.running?.abort(platformError(INTERRUPTED));
      }
      flow.wake();
      await Promise.all(open.map((call) => call.done));
    },
  };
}

/** An `ok` whose result was dropped would be a different answer, so it becomes an error. */
function whatIsStillKnown(response: ToolResponse): ToolResponse {
  return hasResult(response) ? response : toResponse(response.call_id, platformError(FORGOTTEN));
}

/** Is the person still asked the same thing? */
function isStill(question: Question, verdict: Verdict): boolean {
  return verdict.decision === 'ask' && verdict.tool.digest === question.tool.digest && verdict.level === question.level;
}
