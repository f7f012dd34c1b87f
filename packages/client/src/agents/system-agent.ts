import { isParleyError } from '@parley/base';
import { hashCanonical } from '@parley/documents';
import { ApiError, type Platform, type Store } from '@parley/messenger';
import { SYSTEM_AGENT_ID } from '@parley/protocol';
import type { Consents } from './consents.ts';
import type { AgentDirectory } from './directory.ts';
import type { RelationRegistry } from './relation-registry.ts';

interface SystemAgentDeps {
  readonly store: Store;
  readonly platform: Pick<Platform, 'setTimer'>;
  readonly accountId: string;
  readonly agents: Pick<AgentDirectory, 'search' | 'inspect'>;
  readonly registry: Pick<RelationRegistry, 'byAgent'>;
  readonly consents: Pick<Consents, 'add'>;
}

/** Adds the platform's own agent, so that nobody has to look for it (SA-1). */
export interface SystemAgent {
  /** Adds it once for each account: someone who removes it does not get it again. */
  add(): Promise<void>;
  stop(): void;
}

const RESERVED = 'hashee:';
/** Only the platform's own agent may declare it (CM-10). */
const OWN_SCOPE = 'hashee:agents.read';
const DONE = 'client/system-agent';
/** Hashee starts together with the server, and may be ready a little later than the first person. */
const RETRY_DELAYS_MS = [2_000, 5_000, 15_000, 60_000];

export function createSystemAgent(deps: SystemAgentDeps): SystemAgent {
  const { store, platform, accountId, agents, registry, consents } = deps;
  const relationId = systemId(accountId, 'relation');
  const conversationId = systemId(accountId, 'conversation');
  let stopTimer = () => {};
  let stopped = false;
  let settled = false;

  async function add(tries: number): Promise<void> {
    if (settled || stopped) return;
    settled = (await store.get(DONE)) !== undefined;
    if (settled) return;
    const added = registry.byAgent(SYSTEM_AGENT_ID) !== undefined || (await tryToAdd());
    if (added) await store.write(new Map([[DONE, 'added']]));
    if (added || settled || stopped || tries >= RETRY_DELAYS_MS.length) return;
    stopTimer();
    stopTimer = platform.setTimer(() => void add(tries + 1).catch(() => {}), RETRY_DELAYS_MS[tries]!);
  }

  /** Searches for the agent instead of asking for its id: a browser would log "not found" in its console. */
  async function isHere(): Promise<boolean> {
    const { agents: found } = await agents.search({ scope: OWN_SCOPE });
    return found.some(({ agent_id }) => agent_id === SYSTEM_AGENT_ID);
  }

  /**
   * Nobody has read its manifest, so it is granted only reserved scopes, which do no harm unread: their executors read
   * what the platform knows anyway and ask before anything else, whatever level a server gives them (CG-6).
   */
  async function tryToAdd(): Promise<boolean> {
    try {
      // A server without a system agent is not a problem to report.
      settled = !(await isHere());
      if (settled) return false;
      const { manifestHash, preview } = await agents.inspect({ agentId: SYSTEM_AGENT_ID });
      if (manifestHash === null || preview === undefined) return false;
      const declared = preview.groups.flatMap((group) => group.scopes.map(({ id }) => id));
      const scopes = declared.filter((id) => id.startsWith(RESERVED));
      await consents.add({ agentId: SYSTEM_AGENT_ID, scopes, manifestHash, relationId, conversationId });
      return true;
    } catch (error) {
      // Another device added it, or it was added long ago and removed since.
      if (error instanceof ApiError) return ['RELATION_EXISTS', 'ID_TAKEN'].includes(error.code);
      // It is not ready, or not what it says. It is not added now, and can be added by hand.
      if (isParleyError(error, 'MANIFEST_FORGED', 'MANIFEST_CHANGED', 'IDENTITY_UNTRUSTED')) return false;
      throw error;
    }
  }

  return {
    add: () => add(0),
    stop() {
      stopped = true;
      stopTimer();
    },
  };
}

/**
 * Returns an id that is the same on every device of the account, so that the server adds it once; it is as old as the
 * account.
 */
function systemId(accountId: string, of: 'relation' | 'conversation'): string {
  const hash = hashCanonical(`system-agent ${of === 'relation' ? '' : `${of} `}${accountId}`);
  const [time, more] = accountId.split('-');
  return `${time}-${more}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
