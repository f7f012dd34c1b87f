import type { Executor } from '../types.ts';
import type { HasheeMeans } from './means.ts';
import { getAgentExecutor, listAgentsExecutor, listRelationsExecutor } from './read-agents.ts';
import { rotateTokenExecutor, setWebhookExecutor } from './secrets.ts';
import { createAgentExecutor, updateManifestExecutor } from './write-agents.ts';

export type { NewSecret } from './means.ts';

/**
 * What the platform's own agent can ask for (SA-2). It has no power of its own: this device does it, with the session of
 * the person, through the same guard as anything else.
 */
export function hasheeExecutors(means: HasheeMeans): readonly Executor[] {
  return [
    listAgentsExecutor(means),
    getAgentExecutor(means),
    listRelationsExecutor(means),
    updateManifestExecutor(means),
    createAgentExecutor(means),
    rotateTokenExecutor(means),
    setWebhookExecutor(means),
  ];
}
