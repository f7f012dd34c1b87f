import { isParleyError } from '@parley/base';
import type { ConnectionMode } from '@parley/e2ee';
import { createApi, createMessenger, type Messenger, type Platform, type Store } from '@parley/messenger';
import type { AgentParts, MessengerHandlers } from './agent.ts';
import { agentError } from './errors.ts';
import { toReportedError } from './problems.ts';

export interface AgentOptions {
  /** What comes from the environment may be missing: it is refused by name when the agent starts. */
  readonly agentId: string | undefined;
  /** The agent's token, `hsk_…`. */
  readonly token: string | undefined;
  /** The server's origin, without a path: `https://parley.example`. */
  readonly baseUrl: string | undefined;
  /** `webhook` is weaker: without the ratchet, a stolen key opens what was sent before (EE-7). */
  readonly connectionMode: ConnectionMode;
  /** During a rotation, give the new secret and the previous one. */
  readonly webhookSecret?: string | readonly string[] | undefined;
  /**
   * Called if the keystore was empty and keys were created. Publish the fingerprint, so that people can compare it
   * (EE-9).
   */
  readonly onKeyGenerated?: ((fingerprint: string) => void) | undefined;
  /** Set this if the old keystore is lost: the new keys are used, and everyone who knows the agent is warned (EE-9). */
  readonly replaceIdentity?: boolean | undefined;
  /** Gets the errors of handlers, and problems that no caller waits for. Nothing is ever printed. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const MODES = ['websocket', 'polling', 'webhook'] as const;

/** Says which setting is missing, before anything is opened. */
export function readSettings(options: Pick<AgentOptions, 'agentId' | 'token' | 'baseUrl'>) {
  const read = (name: 'agentId' | 'token' | 'baseUrl'): string => {
    const value = options[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name}: must be given`);
    return value;
  };
  return { agentId: read('agentId'), token: read('token'), baseUrl: read('baseUrl') };
}

export function partsOf(options: AgentOptions, platform: Platform, store: Store): AgentParts {
  const { connectionMode, webhookSecret = [], onError = () => {} } = options;
  const { agentId, token, baseUrl } = readSettings(options);
  if (!MODES.includes(connectionMode)) throw new TypeError(`connectionMode: must be one of ${MODES.join(', ')}`);
  return {
    agentId,
    api: createApi({ baseUrl, platform, credentials: { kind: 'agent', token } }),
    store,
    platform,
    webhookSecrets: typeof webhookSecret === 'string' ? [webhookSecret] : webhookSecret,
    // An error in the error handler is dropped.
    onError: (error) => {
      try {
        onError(error);
      } catch {}
    },
  };
}

export function connect(
  { agentId, api, store, onError }: AgentParts,
  { connectionMode, onKeyGenerated, replaceIdentity = false }: AgentOptions,
  platform: Platform,
): (handlers: MessengerHandlers) => Promise<Messenger> {
  return (handlers) =>
    createMessenger({
      api,
      identity: { kind: 'agent', agentId },
      mode: connectionMode,
      store,
      platform,
      replaceIdentity,
      ...handlers,
      onProblem: (problem) => {
        if (problem.kind !== 'over') onError(toReportedError(problem));
      },
      ...(onKeyGenerated === undefined ? {} : { onKeyGenerated }),
    }).catch((error: unknown) => {
      // An agent does not sign in, which is what the server’s own sentence asks for.
      throw isParleyError(error, 'UNAUTHENTICATED') ? agentError('TOKEN_REFUSED', { cause: error }) : error;
    });
}
