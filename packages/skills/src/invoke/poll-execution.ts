import { displayText, isJsonObject, type Json } from '@parley/documents';
import { fillTemplate, toCancelUrl } from '@parley/documents/skill';
import { toSkillError } from '../http/read-response.ts';
import { SkillError } from '../skill-error.ts';
import { type ExecutionStatus, STATUSES } from './progress.ts';
import { type Answer, type Call, send } from './send.ts';

const FIRST_POLL_MS = 100;
/** A provider that suggests 0 ms is still polled with a pause. */
const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 5_000;
const POLL_GROWTH = 1.5;
const CANCEL_MS = 2_000;
const MAX_ID = 256;
const HEADERS = { accept: 'application/json' };

/** The state of an execution as an answer reports it. */
export interface ExecutionState {
  readonly executionId?: string;
  readonly status: ExecutionStatus;
}

export function readState(body: Json | undefined): ExecutionState | undefined {
  if (!isJsonObject(body)) return undefined;
  const { status, execution_id: id } = body;
  if (!STATUSES.includes(status as ExecutionStatus)) return undefined;
  if (id === undefined) return { status: status as ExecutionStatus };
  // An id of dots alone would climb up in the path of the address.
  if (typeof id !== 'string' || id.length > MAX_ID || /^\.{0,2}$/.test(id)) return undefined;
  return { status: status as ExecutionStatus, executionId: id };
}

/** Polls an execution until it ends (SI-1). Returns the answer that holds the output. */
export async function pollExecution(call: Call, executionId: string, first: Answer): Promise<Answer> {
  const { status_url, result_url } = call.skill.descriptor.endpoint;
  if (status_url === undefined) {
    throw new SkillError('OUTPUT_INVALID', { details: { reason: 'no_status_url', execution_id: executionId } });
  }
  const url = fillTemplate(status_url, executionId);
  try {
    const { answer, status } = await poll(call, { url, executionId, first });
    if (status === 'completed') {
      if (result_url === undefined || hasOutput(answer.body)) return answer;
      return await send(call, {
        step: 'result',
        method: 'GET',
        url: fillTemplate(result_url, executionId),
        headers: HEADERS,
      });
    }
    throw ended(call, answer, status);
  } catch (error) {
    if (call.deadline.ending() !== undefined) await cancel(call, url, executionId);
    throw error;
  }
}

interface Watched {
  readonly url: string;
  readonly executionId: string;
  readonly first: Answer;
}

async function poll(
  call: Call,
  { url, executionId, first }: Watched,
): Promise<{ answer: Answer; status: ExecutionStatus }> {
  const { deadline } = call;
  let answer = first;
  let shown = '';
  for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * POLL_GROWTH, LONGEST_POLL_MS)) {
    const state = readState(answer.body);
    if (state === undefined) throw new SkillError('OUTPUT_INVALID', { details: { reason: 'no_status' } });
    shown = reportState(call, executionId, answer.body, shown);
    if (state.status !== 'accepted' && state.status !== 'running') return { answer, status: state.status };
    await deadline.sleep(Math.max(answer.advice.delayMs ?? wait, SHORTEST_POLL_MS));
    answer = await send(call, { step: 'status', method: 'GET', url, headers: HEADERS });
  }
}

/** Reports the state only if it has changed. */
function reportState({ report, redact }: Call, executionId: string, body: Json | undefined, shown: string): string {
  const { status, progress, message } = body as { status: ExecutionStatus; progress?: Json; message?: Json };
  const event = {
    type: 'state',
    status,
    executionId,
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof message === 'string' ? { message: displayText(redact.text(message)) } : {}),
  } as const;
  const text = JSON.stringify(event);
  if (text !== shown) report(event);
  return text;
}

function ended(call: Call, answer: Answer, status: ExecutionStatus): SkillError {
  if (status === 'cancelled') return new SkillError('EXECUTION_CANCELLED', { details: { by: 'provider' } });
  // The HTTP status belongs to the answer about the execution, which succeeded.
  return toSkillError({ status: 500, body: answer.body }, call.redact);
}

export function hasOutput(body: Json | undefined): boolean {
  return isJsonObject(body) && Object.hasOwn(body, 'output');
}

/** Tells the provider that it need not go on. The caller's result does not depend on it. */
async function cancel(call: Call, statusUrl: string, executionId: string): Promise<void> {
  const request = { method: 'POST', url: toCancelUrl(statusUrl), headers: HEADERS } as const;
  call.report({ type: 'cancelling', executionId });
  try {
    const secret = await call.authoriser.authorise(request);
    const headers = { ...HEADERS, ...call.tracing, ...secret };
    await call.http.fetch(request.url, { method: 'POST', headers, timeoutMs: CANCEL_MS });
  } catch {
    // Nothing depends on the cancellation.
  }
}
