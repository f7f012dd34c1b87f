import { type AgentMessage, HasheeAgent, type HasheeAgentOptions, ToolError } from '@parley/agent';
import { toOpenAITools } from '@parley/agent/openai';
import { createWebhookHandler, verifyWebhookSignature } from '@parley/agent/webhook';

interface Page {
  readonly body: string;
}

export async function start(options: HasheeAgentOptions): Promise<(request: Request) => Promise<Response>> {
  const agent = await HasheeAgent.init(options);
  agent.addMessageHandler(async ({ conversation_id: id, payload }: AgentMessage) => {
    try {
      const { body } = await agent.callTool<Page>(id, 'fetch_url', { url: payload.text });
      await agent.send(id, { type: 'text', text: body.slice(0, 200) });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await agent.send(id, { type: 'text', text: `${error.status}: ${error.reason}` });
    }
  });
  console.log(toOpenAITools(await agent.manifest()).length);
  return createWebhookHandler(agent);
}
if (verifyWebhookSignature('a secret of some length, for nobody', {}, '{}')) throw new Error('nobody signed it');
