import { Agent } from './agent.ts';
import { agentError } from './errors.ts';

export { ToolError } from './calls/tool-error.ts';
export { Agent };

/**
 * What `@parley/agent` is in workerd (PK-6). The real one would not load there; or, where workerd imitates Node's files
 * in memory, it would lose its keys with every restart.
 */
export class HasheeAgent extends Agent {
  static async init(): Promise<never> {
    throw agentError('RUNTIME_UNSUPPORTED');
  }
}
