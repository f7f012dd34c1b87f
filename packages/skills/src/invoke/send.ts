import { isParleyError } from '@parley/base';
import type { Json } from '@parley/documents';
import type { GuardedResponse } from '@parley/guarded-fetch';
import type { Authoriser } from '../auth/authoriser.ts';
import { fromFetchError } from '../http/fetch-error.ts';
import type { Http } from '../http/http.ts';
import { type RetryAdvice, readAdvice, readJson, toSkillError } from '../http/read-response.ts';
import type { Redactor } from '../http/redact.ts';
import type { SkillError } from '../skill-error.ts';
import type { Deadline } from './deadline.ts';
import type { PreparedSkill } from './prepare.ts';
import type { ProgressEvent, Step } from './progress.ts';

/** What all requests of one invocation have in common. */
export interface Call {
  readonly skill: PreparedSkill;
  readonly http: Http;
  readonly authoriser: Authoriser;
  readonly redact: Redactor;
  readonly deadline: Deadline;
  readonly report: (event: ProgressEvent) => void;
  readonly random: () => number;
  readonly tracing: Readonly<Record<string, string>> | undefined;
}

export interface Request {
  readonly step: Step;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly response: GuardedResponse;
  /** Undefined if the body is not JSON. */
  readonly body: Json | undefined;
  readonly advice: RetryAdvice;
}

/** These answers are safe to repeat (SI-3). */
const REPEATABLE = new Set([429, 502, 503, 504]);

interface FailedAttempt {
  readonly error: SkillError;
  readonly repeatable: boolean;
  readonly advice: RetryAdvice;
}

/** Sends one request and repeats it as SI-3 allows. Any answer that is not a success is thrown. */
export async function send(call: Call, request: Request): Promise<Answer> {
  const { skill, deadline, report, random } = call;
  for (let attempt = 1; ; attempt++) {
    const answer = await sendOnce(call, request);
    if ('response' in answer) return answer;
    const { error, repeatable, advice } = answer;
    const maxAttempts = advice.maxAttempts ?? skill.maxAttempts;
    if (!repeatable || attempt >= maxAttempts) throw error;
    const delayMs = advice.delayMs ?? backOff(skill.backoffMs, attempt, random());
    // Waiting past the deadline would only hide what went wrong.
    if (delayMs >= deadline.remaining()) throw error;
    const { code, status } = error;
    const about = { step: request.step, attempt, maxAttempts, delayMs, code };
    report({ type: 'retry', ...about, ...(status === undefined ? {} : { status }) });
    await deadline.sleep(delayMs);
  }
}

/** Doubles the delay each time and adds jitter, so that callers who failed together do not return together. */
function backOff(base: number, attempt: number, random: number): number {
  return Math.round(base * 2 ** (attempt - 1) * (0.5 + random / 2));
}

async function sendOnce(call: Call, request: Request): Promise<Answer | FailedAttempt> {
  const answer = await exchange(call, request);
  if ('error' in answer || answer.response.status !== 401) return judge(call, answer);
  // The provider refused the token before it did anything, so a newer token may be tried.
  return judge(call, (await call.authoriser.renew()) ? await exchange(call, request) : answer);
}

function judge(call: Call, answer: Answer | FailedAttempt): Answer | FailedAttempt {
  if ('error' in answer) return answer;
  const { response, body, advice } = answer;
  if (response.status >= 200 && response.status < 300) return answer;
  const error = toSkillError({ status: response.status, body }, call.redact, advice);
  return { error, repeatable: REPEATABLE.has(response.status), advice };
}

async function exchange(call: Call, request: Request): Promise<Answer | FailedAttempt> {
  const { http, authoriser, deadline, tracing } = call;
  const { method, url, body: sent } = request;
  const content = sent === undefined ? {} : { body: sent };
  const headers = tracing === undefined ? request.headers : { ...request.headers, ...tracing };
  const secret = await authoriser.authorise({ method, url, headers, ...content });
  const ending = deadline.ending();
  if (ending !== undefined) throw ending;
  const { signal } = deadline;
  try {
    const response = await http.fetch(url, {
      method,
      headers: secret === undefined ? headers : { ...headers, ...secret },
      timeoutMs: Math.ceil(deadline.remaining()),
      ...content,
      ...(signal === undefined ? {} : { signal }),
    });
    const body = readJson(response);
    return { response, body, advice: readAdvice(response, body, Date.now()) };
  } catch (error) {
    return { error: fromFetchError(error), repeatable: isParleyError(error, 'FETCH_UNREACHABLE'), advice: {} };
  }
}
