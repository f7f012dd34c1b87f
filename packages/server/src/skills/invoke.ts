import type { Locale } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import { type BodyOf, errorText, type ReplyOf, type skillRoutes } from '@parley/protocol';
import {
  type CredentialStore,
  createSkillClient,
  type InvokeOptions,
  type InvokeResult,
  type ProgressEvent,
  SkillError,
} from '@parley/skills';
import type { ServerConfig } from '../config.ts';
import { createSlots } from '../http/slots.ts';

type Route = typeof skillRoutes.invokeSkill;
type Reply = ReplyOf<Route>;
type Credentials = NonNullable<BodyOf<Route>['credentials']>;

interface Invocation {
  readonly descriptor: SkillDescriptor;
  readonly accountId: string;
  readonly body: BodyOf<Route>;
  readonly locale: Locale;
}

/** Browsers wait half a minute for an answer of ours. */
const TIMEOUT_MS = 25_000;
const MAX_BYTES = 1024 * 1024;
const MAX_EVENTS = 100;
const SLOTS = { together: 32, ofOne: 2 };
/** Of the connection, not of its user. */
const NOT_FOR_SIGNING = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade']);

/** Calls skills for browsers. What was said, and the credentials, are neither kept nor logged. */
export function createInvoker(
  config: Pick<ServerConfig, 'allowPrivateAddresses'>,
): (invocation: Invocation) => Promise<Reply> {
  // Anyone names these addresses: development alone opens nothing.
  const { allowPrivateAddresses } = config;
  const guard = { allowPrivate: allowPrivateAddresses, allowLoopback: allowPrivateAddresses, maxBytes: MAX_BYTES };
  const inSlot = createSlots(SLOTS);
  return ({ descriptor, accountId, body, locale }) =>
    inSlot(accountId, async () => {
      const began = performance.now();
      const events: Reply['events'] = [];
      const onProgress = (event: ProgressEvent) => {
        if (events.length < MAX_EVENTS) events.push(wireEvent(event, Math.round(performance.now() - began)));
      };
      try {
        // A client of its own: nothing of one caller's, such as a token, can reach another.
        const result = await createSkillClient(guard).invoke(descriptor, body.inputs, {
          ...authorise(body.credentials ?? {}, new URL(descriptor.endpoint.url).origin),
          onProgress,
          caller: { id: accountId, type: 'user' },
          context: { timeout_ms: TIMEOUT_MS },
        });
        return { ok: true, ...wireOutput(result), events };
      } catch (error) {
        if (!(error instanceof SkillError)) throw error;
        return { ok: false, error: wireError(error, locale), events };
      }
    });
}

function authorise(credentials: Credentials, origin: string): Pick<InvokeOptions, 'credentials' | 'sign'> {
  const { api_key, access_token, headers } = credentials;
  const found = {
    ...(api_key === undefined ? {} : { api_key }),
    ...(access_token === undefined ? {} : { oauth2: { client_id: 'parley', tokens: { access_token } } }),
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

/** A failure of the skill is an answer to the question how it does, not a failure of this server. */
function wireError({ code, params, details }: SkillError, locale: Locale): NonNullable<Reply['error']> {
  return { code, message: errorText(code, locale, params), details: { ...details } };
}

function wireEvent(event: ProgressEvent, after_ms: number): Reply['events'][number] {
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
