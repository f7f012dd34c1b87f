import type { Store } from '@parley/messenger';
import { createBrowserPlatform } from '@parley/messenger/browser';
import { Agent } from '../agent.ts';
import { type AgentOptions, connect, partsOf } from '../options.ts';

export interface WebhookAgentOptions extends Omit<AgentOptions, 'connectionMode' | 'webhookSecret'> {
  readonly connectionMode?: 'webhook' | undefined;
  readonly webhookSecret: string | readonly string[] | undefined;
  /** These runtimes have no files: pass a store over whatever storage they have. */
  readonly keystore: Store;
}

/** An agent for runtimes that only have Fetch, such as workerd (PK-6). In Node, Bun and Deno, use `HasheeAgent`. */
export class WebhookAgent extends Agent {
  static async init(given: WebhookAgentOptions): Promise<WebhookAgent> {
    const options: AgentOptions = { ...given, connectionMode: 'webhook' };
    const platform = createBrowserPlatform();
    const parts = partsOf(options, platform, given.keystore);
    const agent = new WebhookAgent(parts);
    await agent.attach(connect(parts, options, platform));
    return agent;
  }
}
