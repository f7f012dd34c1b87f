import { DurableObject } from 'cloudflare:workers';
import { createWebhookHandler, openDurableObjectStore, WebhookAgent } from '@parley/agent/webhook';
import { answerMessages } from './answer.mjs';

/** One object is the agent: it holds the keys, and a call waits in it for the request that brings the answer. */
export class ParleyAgent extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    // If this fails, the next request tries again with a new object.
    void ctx.blockConcurrencyWhile(async () => {
      const agent = await WebhookAgent.init({
        agentId: env.PARLEY_AGENT_ID,
        token: env.PARLEY_AGENT_TOKEN,
        baseUrl: env.PARLEY_URL,
        webhookSecret: env.WEBHOOK_SECRET,
        keystore: await openDurableObjectStore(ctx.storage),
        onError: (error) => console.error(error),
      });
      answerMessages(agent);
      this.handle = createWebhookHandler(agent);
    });
  }

  fetch(request) {
    return this.handle(request, this.ctx);
  }
}

export default {
  fetch: (request, { AGENT }) => AGENT.get(AGENT.idFromName('agent')).fetch(request),
};
