import { DurableObject } from 'cloudflare:workers';
import { createWebhookHandler, WebhookAgent } from '@parley/agent/webhook';
import { answerMessages } from './answer.mjs';
import { createDurableStore } from './durable-store.mjs';

/** One object is one agent: it holds the keys, and a call waits in it for the request that brings the answer. */
export class ParleyAgent extends DurableObject {
  #handler;

  async fetch(request) {
    this.#handler ??= this.#start();
    return (await this.#handler)(request, this.ctx);
  }

  async #start() {
    try {
      const agent = await WebhookAgent.init({
        agentId: this.env.PARLEY_AGENT_ID,
        token: this.env.PARLEY_AGENT_TOKEN,
        baseUrl: this.env.PARLEY_URL,
        webhookSecret: this.env.WEBHOOK_SECRET,
        keystore: createDurableStore(this.ctx.storage),
        onError: (error) => console.error(error),
      });
      answerMessages(agent);
      return createWebhookHandler(agent);
    } catch (error) {
      // The next delivery tries again.
      this.#handler = undefined;
      throw error;
    }
  }
}

export default {
  fetch: (request, { AGENT }) => AGENT.get(AGENT.idFromName('agent')).fetch(request),
};
