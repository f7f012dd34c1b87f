import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@parley/messenger';
import { createNodePlatform, openFileStore } from '@parley/messenger/node';
import { Agent } from './agent.ts';
import { agentError } from './errors.ts';
import { type AgentOptions, connect, partsOf, readSettings } from './options.ts';

export interface HasheeAgentOptions extends AgentOptions {
  /**
   * Where the keys and ratchets are kept: a folder of this agent's own, or a store. By default the folder is
   * `~/.parley/agents/<agentId>`, or the same below PARLEY_KEYSTORE. One process at a time holds it (EE-7).
   */
  readonly keystore?: string | Store | undefined;
}

/** An agent in Node, Bun or Deno (PK-6). */
export class HasheeAgent extends Agent {
  /** Resolves when its keys are published; it connects and reconnects by itself. */
  static async init(options: HasheeAgentOptions): Promise<HasheeAgent> {
    const { agentId } = readSettings(options);
    const { keystore = defaultKeystore(agentId) } = options;
    const store = typeof keystore === 'string' ? await openFileStore(keystore) : keystore;
    try {
      const platform = createNodePlatform();
      const parts = partsOf(options, platform, store);
      const agent = new HasheeAgent(parts);
      await agent.attach(connect(parts, options, platform));
      return agent;
    } catch (error) {
      if (typeof keystore === 'string') await store.close();
      throw error;
    }
  }
}

function defaultKeystore(agentId: string): string {
  // The id becomes the name of a folder.
  if (!/^[0-9a-f-]{36}$/.test(agentId)) throw agentError('AGENT_ID_INVALID');
  return join(process.env.PARLEY_KEYSTORE ?? join(homedir(), '.parley', 'agents'), agentId);
}
