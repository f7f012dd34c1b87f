import { createRateWindow, isParleyError, type Locale, readAcceptLanguage } from '@parley/base';
import { hashCanonical, type Json } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import { createPreparer, type PreparedSkill } from '../invoke/prepare.ts';
import { SkillError } from '../skill-error.ts';
import {
  type AuthenticateCaller,
  type AuthenticationOptions,
  createCallerAuthentication,
} from './auth/authenticate-caller.ts';
import { ANONYMOUS } from './auth/caller.ts';
import { type Execution, type ExecutionStore, type Executions, isOver } from './execution.ts';
import type { SkillHandler } from './handler.ts';
import { HttpError } from './http/http-error.ts';
import { readInvocation, refuseMethod, refuseReuse } from './http/read-invocation.ts';
import { answerError, answerJson, answerResult, answerState } from './http/responses.ts';
import { createRouter, descriptorUrl, fits, type Route } from './http/routes.ts';
import { createMemoryStore } from './memory-store.ts';
import { createRun } from './run.ts';

export interface ServeOptions extends AuthenticationOptions {
  /** In memory by default. */
  readonly store?: ExecutionStore;
  /** Invocations a minute and caller: 120 by default. Reading is allowed ten times as often. */
  readonly callsPerMinute?: number;
  /** Of a request: 1 MiB by default. */
  readonly maxBodyBytes?: number;
  /** 10 MiB by default, which is what our consumer reads. */
  readonly maxOutputBytes?: number;
  /** How long an invocation waits for a quick handler before it answers 202: not at all by default. */
  readonly waitMs?: number;
  /** In place of the descriptor's `timeout_ms`: for work that a patient caller polls for longer than that. */
  readonly timeoutMs?: number;
  /** What a handler threw, and what went wrong here. Nothing of it is told to callers. */
  readonly onError?: (error: unknown, executionId?: string) => void;
}

export interface Connection {
  /** Of the client, as far as it is known: those without credentials are counted by it. */
  readonly address?: string;
}

export interface ServedSkill {
  readonly fetch: (request: Request, connection?: Connection) => Promise<Response>;
  close(): Promise<void>;
}

const RECHECK_MS = 500;
const MAX_AGE_S = 60;

/** A function and a descriptor as a skill (SI-5): index, descriptor, invoke, status, result and cancel. */
export async function serveSkill(
  value: SkillDescriptor,
  handler: SkillHandler,
  options: ServeOptions = {},
): Promise<ServedSkill> {
  const { store = createMemoryStore(), callsPerMinute = 120, maxOutputBytes = 10 * 1024 * 1024 } = options;
  // An address of this machine is no danger to whoever serves it.
  const skill = createPreparer(true)(structuredClone(value));
  const { descriptor } = skill;
  const onError = makeHarmless(options.onError);
  const parts: Parts = {
    skill,
    options,
    authenticateCaller: createCallerAuthentication(descriptor, options),
    calls: limitRate(callsPerMinute),
    reads: limitRate(10 * callsPerMinute),
    executions: await store.open(descriptor.id, createRun(skill, handler, { maxOutputBytes, onError })),
  };
  const route = createRouter(descriptor);
  let closing: Promise<void> | undefined;
  return {
    fetch: async (request, connection = {}) => {
      const locale = readAcceptLanguage(request.headers.get('accept-language') ?? undefined);
      try {
        if (closing !== undefined) throw new SkillError('ENDPOINT_UNREACHABLE');
        const found = route(new URL(request.url), request.method);
        if (found === undefined) throw new SkillError('SKILL_NOT_FOUND');
        const answer = await serve(parts, { request, route: found, locale, connection });
        return request.method === 'HEAD' ? new Response(null, answer) : answer;
      } catch (error) {
        return toAnswer(error, locale, onError);
      }
    },
    close: () => {
      closing ??= parts.executions.close();
      return closing;
    },
  };
}

interface Parts {
  readonly skill: PreparedSkill;
  readonly options: ServeOptions;
  readonly authenticateCaller: AuthenticateCaller;
  readonly calls: Rate;
  readonly reads: Rate;
  readonly executions: Executions;
}

interface Asked {
  readonly request: Request;
  readonly route: Route;
  readonly locale: Locale;
  readonly connection: Connection;
}

async function serve(parts: Parts, { request, route, locale, connection }: Asked): Promise<Response> {
  const { skill, authenticateCaller } = parts;
  const { descriptor } = skill;
  if (route.name === 'index') return checkMethod(route, request) ?? answerIndex(parts, request);
  // Whoever may see the descriptor: everyone, unless it is private (SD-8).
  if (route.name === 'descriptor' && descriptor.access !== 'private') {
    return checkMethod(route, request) ?? answerJson(200, descriptor, cacheFor(descriptor));
  }
  const { id: callerId } = await authenticateCaller(request);
  const refusal = checkMethod(route, request);
  if (refusal !== undefined) return refusal;
  const counted = callerId === ANONYMOUS.id ? `address ${connection.address ?? ''}` : `caller ${callerId}`;
  checkRate(route.name === 'invoke' ? parts.calls : parts.reads, counted);
  if (route.name === 'descriptor') return answerJson(200, descriptor, cacheFor(descriptor));
  if (route.name === 'invoke') return invoke(parts, { request, callerId, locale });
  return answerExecution(parts, route, { callerId, locale });
}

/** The same for a skill that is not there as for one that the caller may not see. */
async function answerIndex({ skill, authenticateCaller }: Parts, request: Request): Promise<Response> {
  const { descriptor } = skill;
  const { protocol, provider, id, name, capability_type, description, access, version } = descriptor;
  const seen = access !== 'private' || (await authenticateCaller(request).then(() => true, hidden));
  const entry = { id, name, capability_type, description, descriptor_url: descriptorUrl(descriptor), access, version };
  return answerJson(200, { protocol, provider, skills: seen ? [entry] : [] }, cacheFor(descriptor));
}

function hidden(error: unknown): false {
  if (isParleyError(error, 'SKILL_NOT_FOUND')) return false;
  throw error;
}

function cacheFor({ access }: SkillDescriptor): Readonly<Record<string, string>> {
  return { 'cache-control': access === 'private' ? 'no-store' : `public, max-age=${MAX_AGE_S}` };
}

interface Invoker {
  readonly request: Request;
  readonly callerId: string;
  readonly locale: Locale;
}

async function invoke(parts: Parts, { request, callerId, locale }: Invoker): Promise<Response> {
  const { skill, options, executions } = parts;
  const { work, key } = await readInvocation(request, skill, options.maxBodyBytes ?? 1024 * 1024);
  const timeoutMs = Math.min(options.timeoutMs ?? skill.timeoutMs, work.context.timeout_ms ?? Number.POSITIVE_INFINITY);
  const added = await executions.add({
    id: crypto.randomUUID(),
    callerId,
    work,
    deadline: new Date(Date.now() + timeoutMs),
    digest: hashCanonical(work as unknown as Json),
    ...(key === undefined ? {} : { key }),
  });
  if (!('id' in added)) throw added.state === 'full' ? new SkillError('ENDPOINT_UNREACHABLE') : refuseReuse();
  // Nobody could ask for the status of a skill that names no address for it.
  const waitMs = skill.descriptor.endpoint.status_url === undefined ? timeoutMs : (options.waitMs ?? 0);
  const execution = await waitFor(executions, { id: added.id, callerId, waitMs });
  if (execution === undefined) throw new SkillError('SKILL_NOT_FOUND');
  if (waitMs > 0 && isOver(execution)) return answerResult(execution, locale, skill.descriptor.output.content_type);
  return answerState(execution, locale, false, 202);
}

interface Waited {
  readonly id: string;
  readonly callerId: string;
  readonly waitMs: number;
}

async function waitFor(executions: Executions, { id, callerId, waitMs }: Waited): Promise<Execution | undefined> {
  const end = Date.now() + waitMs;
  if (waitMs > 0) await executions.ended(id, Math.min(RECHECK_MS, waitMs));
  for (;;) {
    const execution = await executions.find(id, callerId);
    const left = end - Date.now();
    if (execution === undefined || isOver(execution) || left <= 0) return execution;
    // Another process may end it, which wakes nobody here.
    await executions.ended(id, Math.min(RECHECK_MS, left));
  }
}

async function answerExecution(
  { skill, executions }: Parts,
  { name, executionId = '' }: Route,
  { callerId, locale }: Omit<Invoker, 'request'>,
): Promise<Response> {
  const { endpoint, output } = skill.descriptor;
  const found = await executions.find(executionId, callerId);
  if (found === undefined) throw new SkillError('SKILL_NOT_FOUND');
  if (name === 'result') return answerResult(found, locale, output.content_type);
  if (name === 'status') {
    const inline = endpoint.result_url === undefined;
    if (inline && found.output instanceof Uint8Array) return answerResult(found, locale, output.content_type);
    return answerState(found, locale, inline);
  }
  await executions.settle(executionId, { status: 'cancelled' });
  return answerState((await executions.find(executionId, callerId)) ?? found, locale, false);
}

function checkMethod(route: Route, { method }: Request): Response | undefined {
  if (fits(route, method)) return undefined;
  return answerError(refuseMethod(route.method), 'en');
}

/** The milliseconds until this caller's next request is allowed; 0 if it is now. */
type Rate = (caller: string) => number;

function limitRate(perMinute: number): Rate {
  if (!(perMinute > 0)) throw new TypeError('callsPerMinute: must be more than 0');
  const window = createRateWindow({ windowMs: 60_000, maxKeys: 10_000, now: () => performance.now() });
  return (caller) => window.take(caller, perMinute);
}

function checkRate(rate: Rate, counted: string): void {
  const delay = rate(counted);
  if (delay === 0) return;
  const seconds = Math.ceil(delay / 1_000);
  throw new HttpError('RATE_LIMITED', {
    params: { retry_after_seconds: seconds },
    headers: { 'retry-after': String(seconds) },
    advice: { suggested_delay_ms: delay, max_attempts: 3 },
  });
}

/** A mistake in the handler of mistakes must not stop an execution half-way. */
function makeHarmless(onError: ServeOptions['onError'] = () => {}): NonNullable<ServeOptions['onError']> {
  return (...args) => {
    try {
      onError(...args);
    } catch {
      // There is nobody left to tell.
    }
  };
}

function toAnswer(error: unknown, locale: Locale, onError: (error: unknown) => void): Response {
  if (!(error instanceof SkillError)) {
    onError(error);
    return answerError(new SkillError('EXECUTION_FAILED'), locale);
  }
  if (error.code !== 'ENDPOINT_UNREACHABLE') return answerError(error, locale);
  // It is this provider that cannot be used now, not somebody behind it, and why is not for callers.
  const headers = { 'retry-after': '1' };
  return answerError(new HttpError(error.code, { details: error.details, status: 503, headers }), locale);
}
