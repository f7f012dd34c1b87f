import { randomUUID } from 'node:crypto';
import { isJsonObject, type Json } from '@parley/documents';
import { ENDPOINT_DEFAULTS, isJsonType, type SkillDescriptor } from '@parley/documents/skill';
import { createAuthoriser, type SignRequest } from '../auth/authoriser.ts';
import type { CredentialStore } from '../credentials/store.ts';
import type { Http } from '../http/http.ts';
import { header } from '../http/read-response.ts';
import { createRedactor } from '../http/redact.ts';
import type { GetAccessToken } from '../oauth2/tokens.ts';
import { SkillError } from '../skill-error.ts';
import { startDeadline } from './deadline.ts';
import { hasOutput, pollExecution, readState } from './poll-execution.ts';
import { checkOutput, fillInputs, type PreparedSkill } from './prepare.ts';
import type { ProgressEvent } from './progress.ts';
import { type Answer, type Call, type Request, send } from './send.ts';
import { traceHeaders } from './trace.ts';

export interface Caller {
  readonly id: string;
  readonly type: 'ifay' | 'service' | 'user';
}

export interface InvocationContext {
  readonly trace_id?: string;
  readonly priority?: string;
  readonly timeout_ms?: number;
}

export interface InvokeOptions {
  readonly credentials?: CredentialStore;
  /** Signs requests, for `auth.type: "custom"`. */
  readonly sign?: SignRequest;
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: ProgressEvent) => void;
  readonly context?: InvocationContext;
  readonly caller?: Caller;
}

export interface InvokeResult {
  /** JSON that fits the output's schema; bytes if the output is neither JSON nor text. */
  readonly output: Json | Uint8Array;
  readonly executionId?: string;
}

export interface InvokeParts {
  readonly http: Http;
  readonly prepare: (descriptor: SkillDescriptor) => PreparedSkill;
  readonly getAccessToken: GetAccessToken;
  readonly random: () => number;
}

const ANONYMOUS: Caller = { id: 'anonymous', type: 'service' };

/** Invokes a skill and waits for its output (SI-1…4). */
export async function invoke(
  { http, prepare, getAccessToken, random }: InvokeParts,
  invocation: { descriptor: SkillDescriptor; inputs: Readonly<Record<string, unknown>> },
  options: InvokeOptions,
): Promise<InvokeResult> {
  const { credentials, sign, signal, onProgress = () => {}, context } = options;
  const skill = prepare(invocation.descriptor);
  const request = makeRequest(skill, fillInputs(skill, invocation.inputs), options);
  const deadline = startDeadline(Math.min(skill.timeoutMs, context?.timeout_ms ?? Number.POSITIVE_INFINITY), signal);
  const redact = createRedactor();
  const authoriser = createAuthoriser({
    descriptor: skill.descriptor,
    getAccessToken,
    redact,
    race: deadline.race,
    ...(credentials === undefined ? {} : { credentials }),
    ...(sign === undefined ? {} : { sign }),
  });
  const tracing = traceHeaders(context?.trace_id);
  const call: Call = { skill, http, authoriser, redact, deadline, report: onProgress, random, tracing };
  try {
    return await run(call, request);
  } catch (error) {
    // A deadline or an abort shows up as many different errors; this one says what happened.
    throw deadline.ending() ?? error;
  }
}

async function run(call: Call, request: Request): Promise<InvokeResult> {
  const answer = await send(call, request);
  const state = readState(answer.body);
  if (state?.executionId === undefined || hasOutput(answer.body)) return { output: readOutput(call, answer) };
  const { executionId } = state;
  return { output: readOutput(call, await pollExecution(call, executionId, answer)), executionId };
}

function makeRequest(skill: PreparedSkill, inputs: Json, { caller = ANONYMOUS, context }: InvokeOptions): Request {
  const { id, endpoint, output } = skill.descriptor;
  const { method = ENDPOINT_DEFAULTS.method, content_type = ENDPOINT_DEFAULTS.content_type } = endpoint;
  if (method === 'GET') {
    const details = { reason: 'method_without_body' };
    throw new SkillError('VALIDATION_ERROR', { params: { violation_count: 1 }, details });
  }
  const accept = isJsonType(output.content_type) ? 'application/json' : `application/json, ${output.content_type}`;
  return {
    step: 'invoke',
    method,
    url: endpoint.url,
    headers: {
      accept,
      'content-type': isJsonType(content_type) ? content_type : ENDPOINT_DEFAULTS.content_type,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ caller, skill_id: id, inputs, ...(context === undefined ? {} : { context }) }),
  };
}

function readOutput({ skill, http, redact }: Call, { response, body }: Answer): Json | Uint8Array {
  if (response.truncated)
    throw new SkillError('OUTPUT_INVALID', { details: { reason: 'too_large', limit: http.maxBytes } });
  if (body !== undefined) {
    if (isJsonObject(body) && hasOutput(body)) return checkOutput(skill, body.output!, redact);
    throw new SkillError('OUTPUT_INVALID', { details: { reason: 'no_output' } });
  }
  const [wanted, got] = [skill.descriptor.output.content_type, header(response, 'content-type') ?? ''].map(essence);
  if (wanted !== got || isJsonType(wanted!))
    throw new SkillError('OUTPUT_INVALID', { details: { reason: 'content_type' } });
  if (!wanted!.startsWith('text/')) return response.body;
  return checkOutput(skill, Buffer.from(response.body).toString('utf8'), redact);
}

const essence = (mediaType: string) => mediaType.split(';', 1)[0]!.trim().toLowerCase();
