import { isJsonObject, type Json, type JsonObject, parseJson, toMessage } from '@parley/documents';
import { isJsonType } from '@parley/documents/skill';
import { fillInputs, type PreparedSkill } from '../../invoke/prepare.ts';
import { SkillError } from '../../skill-error.ts';
import type { InvocationRequest } from '../execution.ts';
import { HttpError, type HttpErrorOptions } from './http-error.ts';

const MAX_DEPTH = 64;
const MAX_TEXT = 256;
const MAX_TIMEOUT_MS = 600_000;
const CALLER_TYPES: readonly unknown[] = ['ifay', 'service', 'user'];
/** Allows visible characters, as the drafts of the header say. */
const KEY = /^[\u0021-\u007e]{1,200}$/;

export interface Invocation {
  readonly work: InvocationRequest;
  readonly key?: string;
}

/** Reads a stranger's request (SI-1), or refuses it with everything that is wrong. */
export async function readInvocation(request: Request, skill: PreparedSkill, maxBytes: number): Promise<Invocation> {
  const body = await readBody(request, maxBytes);
  const { skill_id, caller, inputs, context = {} } = body;
  if (typeof skill_id === 'string' && skill_id !== skill.descriptor.id) throw new SkillError('SKILL_NOT_FOUND');
  const faults = [...checkFields(body), ...(isJsonObject(context) ? checkContext(context) : [])];
  const key = request.headers.get('idempotency-key') ?? undefined;
  if (key !== undefined && !KEY.test(key)) faults.push(fault('', '1 to 200 visible characters in Idempotency-Key'));
  if (faults.length > 0) throw refuse(faults);
  const { trace_id, priority, timeout_ms } = context as JsonObject;
  return {
    work: {
      inputs: fillInputs(skill, inputs as JsonObject),
      caller: { id: (caller as JsonObject).id, type: (caller as JsonObject).type } as InvocationRequest['caller'],
      context: {
        ...(trace_id === undefined ? {} : { trace_id }),
        ...(priority === undefined ? {} : { priority }),
        ...(timeout_ms === undefined ? {} : { timeout_ms }),
      } as InvocationRequest['context'],
    },
    ...(key === undefined ? {} : { key }),
  };
}

function checkFields({ skill_id, caller, inputs, context = {} }: JsonObject): Fault[] {
  const faults: Fault[] = [];
  if (typeof skill_id !== 'string') faults.push(fault('/skill_id', 'the id of the skill'));
  if (!isJsonObject(inputs)) faults.push(fault('/inputs', 'object'));
  if (!isJsonObject(context)) faults.push(fault('/context', 'object'));
  if (!isJsonObject(caller)) return [...faults, fault('/caller', 'object')];
  if (!isText(caller.id)) faults.push(fault('/caller/id', `1 to ${MAX_TEXT} characters`));
  if (!CALLER_TYPES.includes(caller.type)) faults.push(fault('/caller/type', '"ifay" | "service" | "user"'));
  return faults;
}

function checkContext({ trace_id, priority, timeout_ms }: JsonObject): Fault[] {
  const faults: Fault[] = [];
  if (trace_id !== undefined && !isText(trace_id)) faults.push(fault('/context/trace_id', 'text'));
  if (priority !== undefined && !isText(priority)) faults.push(fault('/context/priority', 'text'));
  const ms = timeout_ms as number;
  if (timeout_ms !== undefined && !(Number.isInteger(ms) && ms >= 1 && ms <= MAX_TIMEOUT_MS)) {
    faults.push(fault('/context/timeout_ms', `1…${MAX_TIMEOUT_MS}`));
  }
  return faults;
}

const isText = (value: Json | undefined) => typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;

type Fault = ReturnType<typeof fault>;

function fault(field: string, expected: string) {
  return { code: 'FIELD_INVALID', field, expected, actual: 'invalid', message: `${field || 'request'}: ${expected}` };
}

function refuse(violations: readonly Fault[], options: Pick<HttpErrorOptions, 'status' | 'headers'> = {}): HttpError {
  const params = { violation_count: violations.length };
  return new HttpError('VALIDATION_ERROR', { params, details: { violations }, ...options });
}

export const refuseMethod = (allowed: string) =>
  refuse([fault('', allowed)], { status: 405, headers: { allow: allowed } });
export const refuseReuse = () =>
  refuse([fault('', 'an Idempotency-Key that was not used for another request')], { status: 422 });

async function readBody(request: Request, maxBytes: number): Promise<JsonObject> {
  if (!isJsonType(request.headers.get('content-type') ?? '')) {
    throw refuse([fault('', 'content-type application/json')], { status: 415 });
  }
  const bytes = await readBytes(request, maxBytes);
  const parsed = parseJson(bytes, { maxDepth: MAX_DEPTH, maxLength: maxBytes });
  if (!parsed.ok) {
    const faults = parsed.findings.map((finding) => ({
      ...fault('', 'JSON'),
      message: toMessage(finding, 'en').message,
    }));
    throw refuse(faults, { status: 400 });
  }
  if (!isJsonObject(parsed.value)) throw refuse([fault('', 'object')]);
  return parsed.value;
}

/** Counts the bytes while it reads: the Content-Length header proves nothing. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => refuse([fault('', `at most ${maxBytes} bytes`)], { status: 413 });
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
