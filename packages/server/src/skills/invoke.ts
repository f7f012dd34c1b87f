import type { Readable } from 'node:stream';
import type { Locale } from '@parley/base';
import type { SkillDescriptor } from '@parley/documents/skill';
import { type BodyOf, type EventOf, errorText, type ReplyOf, type skillRoutes, toWire } from '@parley/protocol';
import {
  type CredentialStore,
  createSkillClient,
  type InvokeOptions,
  type InvokeResult,
  type ProgressEvent,
  SkillError,
} from '@parley/skills';
import type { FastifyBaseLogger } from 'fastify';
import type { ServerConfig } from '../config.ts';
import { createConcurrencyLimit } from '../http/concurrency-limit.ts';
import type { NdjsonReply } from '../http/ndjson.ts';

type Route = typeof skillRoutes.invokeSkill;
type Reply = ReplyOf<Route>;
type Event = EventOf<Route>;
type Credentials = NonNullable<BodyOf<Route>['credentials']>;

interface Invocation {
  readonly descriptor: SkillDescriptor;
  readonly accountId: string;
  readonly body: BodyOf<Route>;
  readonly locale: Locale;
  readonly requestId: string;
}

/** For callers that want the progress, too. */
interface Watcher {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  onEvent?(event: Event): void;
}

interface Invoker {
  /** Replies when the skill has ended. */
  invoke(invocation: Invocation): Promise<Reply>;
  /**
   * Replies line by line while the skill runs. It is refused like the other; after `open` was called, errors are lines,
   * too.
   */
  invokeStreaming(
    invocation: Invocation,
    open: () => NdjsonReply,
    log: Pick<FastifyBaseLogger, 'error'>,
  ): Promise<Readable>;
}

/** Browsers wait half a minute for a reply. */
const TIMEOUT_MS = 25_000;
/** Browsers wait longer while lines arrive. */
const STREAM_TIMEOUT_MS = 300_000;
const MAX_BYTES = 1024 * 1024;
/** The most events in a reply, to bound memory. */
const MAX_EVENTS = 100;
/** The most events of a stream: a provider may change the status of an execution without a pause. */
const MAX_STREAMED_EVENTS = 1_000;
const LIMITS = { total: 32, perCaller: 2 };
/** Streams have limits of their own: they last longer, and must not keep the others out. */
const STREAM_LIMITS = { total: 128, perCaller: 2 };
/** Headers that belong to the connection, not to its user, are not signed. */
const NOT_FOR_SIGNING = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade']);

/** Calls skills for browsers. Inputs, outputs and credentials are neither stored nor logged. */
export function createInvoker(config: Pick<ServerConfig, 'allowPrivateAddresses'>): Invoker {
  // Anyone names these addresses: development mode alone opens nothing.
  const { allowPrivateAddresses } = config;
  const guard = { allowPrivate: allowPrivateAddresses, allowLoopback: allowPrivateAddresses, maxBytes: MAX_BYTES };
  const limited = createConcurrencyLimit(LIMITS);
  const limitedStream = createConcurrencyLimit(STREAM_LIMITS);

  async function run({ descriptor, accountId, body, locale }: Invocation, watcher: Watcher): Promise<Reply> {
    const { timeoutMs, signal, onEvent } = watcher;
    const began = performance.now();
    const events: Event[] = [];
    const onProgress = (progress: ProgressEvent) => {
      const event = wireEvent(progress, Math.round(performance.now() - began));
      if (events.length < MAX_EVENTS) events.push(event);
      onEvent?.(event);
    };
    try {
      // Each call has a client of its own, so nothing of one caller, such as a token, can reach another.
      const result = await createSkillClient(guard).invoke(descriptor, body.inputs, {
        ...authorise(body.credentials ?? {}, new URL(descriptor.endpoint.url).origin),
        onProgress,
        caller: { id: accountId, type: 'user' },
        context: { timeout_ms: timeoutMs },
        ...(signal === undefined ? {} : { signal }),
      });
      return { ok: true, ...wireOutput(result), events };
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      return { ok: false, error: wireError(error, locale), events };
    }
  }

  return {
    invoke: (invocation) => limited(invocation.accountId, () => run(invocation, { timeoutMs: TIMEOUT_MS })),
    invokeStreaming: (invocation, open, log) =>
      new Promise((resolve, reject) => {
        const work = async () => {
          const lines = open();
          resolve(lines.body);
          let told = 0;
          const onEvent = (event: Event) => {
            if (told++ < MAX_STREAMED_EVENTS) lines.send({ event }, event.type);
          };
          try {
            const { signal } = lines;
            lines.end({ reply: await run(invocation, { timeoutMs: STREAM_TIMEOUT_MS, signal, onEvent }) });
          } catch (error) {
            log.error({ err: error }, 'a skill could not be invoked');
            lines.end(toWire({ code: 'INTERNAL', requestId: invocation.requestId, locale: invocation.locale }));
          }
        };
        // Over the limit nothing is open yet, and the reply is an error like any other.
        limitedStream(invocation.accountId, work).catch(reject);
      }),
  };
}

function authorise(credentials: Credentials, origin: string): Pick<InvokeOptions, 'credentials' | 'sign'> {
  const { api_key, access_token, parameters, headers } = credentials;
  const found = {
    ...(api_key === undefined ? {} : { api_key }),
    ...(access_token === undefined ? {} : { oauth2: { client_id: 'parley', tokens: { access_token } } }),
    ...(parameters === undefined ? {} : { custom: parameters }),
  };
  const store: CredentialStore = {
    find: async (asked) => (asked === origin ? found : undefined),
    saveTokens: async () => false,
  };
  if (headers === undefined) return { credentials: store };
  const allowed = Object.entries(headers).filter(([name]) => !NOT_FOR_SIGNING.has(name.toLowerCase()));
  return { credentials: store, sign: () => Object.fromEntries(allowed) };
}

function wireOutput({ output, executionId }: InvokeResult) {
  const run = executionId === undefined ? {} : { execution_id: executionId };
  if (output instanceof Uint8Array) return { output_base64: Buffer.from(output).toString('base64'), ...run };
  return { output, ...run };
}

/** An error of the skill is part of the reply, not an error of this server. */
function wireError({ code, params, details }: SkillError, locale: Locale): NonNullable<Reply['error']> {
  return { code, message: errorText(code, locale, params), details: { ...details } };
}

function wireEvent(event: ProgressEvent, after_ms: number): Event {
  if (event.type === 'cancelling') return { type: event.type, after_ms };
  if (event.type === 'retry') {
    const { attempt, maxAttempts: max_attempts, delayMs: delay_ms, code } = event;
    return { type: event.type, after_ms, attempt, max_attempts, delay_ms: Math.round(delay_ms), code };
  }
  const { status, progress, message } = event;
  return {
    type: event.type,
    after_ms,
    status,
    ...(progress === undefined ? {} : { progress }),
    ...(message === undefined ? {} : { message }),
  };
}
