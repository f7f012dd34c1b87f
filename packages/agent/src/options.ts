import type { ConnectionMode } from '@parley/e2ee';
import { createApi, createMessenger, type Messenger, type Platform, type Store } from '@parley/messenger';
import type { AgentParts, MessengerHandlers } from './agent.ts';
import { toReportedError } from './problems.ts';

export interface AgentOptions {
  readonly agentId: string;
  /** `hsk_…` */
  readonly token: string;
  /** Without a path behind it: `https://parley.example`. */
  readonly baseUrl: string;
  /** `webhook` is weaker: without the ratchet, a stolen key opens what was sent before (EE-7). */
  readonly connectionMode: ConnectionMode;
  /** While it is rotated, the new one and the one before. */
  readonly webhookSecret?: string | readonly string[];
  /** The keystore was empty and keys were made: publish this, so that people can check it (EE-9). */
  readonly onKeyGenerated?: (fingerprint: string) => void;
  /** The old keystore is lost: use the new keys, though everyone who knows the agent will be warned (EE-9). */
  readonly replaceIdentity?: boolean;
  /** Errors of handlers, and problems nobody waits for. Nothing is ever printed. */
  readonly onError?: (error: unknown) => void;
}

const MODES = ['websocket', 'polling', 'webhook'] as const;

export function partsOf(options: AgentOptions, platform: Platform, store: Store): AgentParts {
  const { agentId, token, baseUrl, connectionMode, webhookSecret = [], onError = () => {} } = options;
  for (const [name, value] of Object.entries({ agentId, token, baseUrl })) {
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name}: must be given`);
  }
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
      onProblem: (problem) => onError(toReportedError(problem)),
      ...(onKeyGenerated === undefined ? {} : { onKeyGenerated }),
    });
}
