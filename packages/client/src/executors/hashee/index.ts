import type { Executor } from '../types.ts';
import type { HasheeDeps } from './own-agents.ts';
import { getAgentExecutor, listAgentsExecutor, listRelationsExecutor } from './read-agents.ts';
import { rotateTokenExecutor, setWebhookExecutor } from './secrets.ts';
import { createAgentExecutor, updateManifestExecutor } from './write-agents.ts';

export type { NewSecret } from './own-agents.ts';

/**
 * The tools of the platform's own agent (SA-2). It has no power of its own: this device runs them with the person's
 * session, behind the same guard as any other.
 */
export function hasheeExecutors(deps: HasheeDeps): readonly Executor[] {
  return [
    listAgentsExecutor(deps),
    getAgentExecutor(deps),
    listRelationsExecutor(deps),
    updateManifestExecutor(deps),
    createAgentExecutor(deps),
    rotateTokenExecutor(deps),
    setWebhookExecutor(deps),
  ];
}
