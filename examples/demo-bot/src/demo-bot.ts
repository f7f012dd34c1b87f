import { HasheeAgent, type HasheeAgentOptions, ToolError } from '@parley/agent';
import { runOpenAIToolCalls, toOpenAITools } from '@parley/agent/openai';
import { explain, type Say } from './explain.ts';

export async function startDemoBot(options: Omit<HasheeAgentOptions, 'connectionMode'>): Promise<HasheeAgent> {
  const agent = await HasheeAgent.init({ ...options, connectionMode: 'websocket' });
  agent.addMessageHandler(async ({ conversation_id: conversationId, payload: { text } }) => {
    const say: Say = (en, zh) => (/\p{Script=Han}/u.test(text) ? zh : en);
    const reply = process.env.OPENAI_BASE_URL || process.env.OPENAI_API_KEY ? askModel : followRules;
    const answer = await reply({ agent, conversationId, text, say }).catch((error) => {
      if (!(error instanceof ToolError)) throw error;
      return explain(error, say);
    });
    await agent.send(conversationId, { type: 'text', text: answer });
  });
  return agent;
}

interface Turn {
  readonly agent: HasheeAgent;
  readonly conversationId: string;
  readonly text: string;
  readonly say: Say;
}

async function followRules({ agent, conversationId, text, say }: Turn): Promise<string> {
  // The mark that ends a sentence is no part of the address.
  const url = /https?:\/\/[^\s，。？！]+/.exec(text)?.[0].replace(/[?!.,;:]+$/, '');
  if (url !== undefined) {
    const page = await agent.callTool<{ body: string; status_code: number }>(conversationId, 'fetch_url', { url });
    const words = page.body
      .slice(0, 5_000)
      .replaceAll(/(?:<[^>]*>|\s)+/g, ' ')
      .trim();
    return `${url} (${page.status_code}): ${words.slice(0, 500) || say('nothing to read', '没有可读内容')}`;
  }
  const title = /(?:notify me|remind me|通知我|提醒我)\s*(?:to |that |of )?[\s:：,，]*(.+)/i.exec(text)?.[1];
  if (title !== undefined) {
    await agent.callTool(conversationId, 'send_notification', { title: title.slice(0, 80) });
    return say('Done.', '已通知。');
  }
  if (/where am i|我在哪/i.test(text)) {
    const place = await agent.callTool<{ latitude: number; longitude: number }>(conversationId, 'read_location');
    return `${say('You are at', '您的位置：')} ${place.latitude.toFixed(3)}, ${place.longitude.toFixed(3)}`;
  }
  return say(
    'Try: “what is on https://example.com”, “notify me to drink water”, “where am I”.',
    '试试：“https://example.com 上写了什么”、“提醒我喝水”、“我在哪里”。',
  );
}

/** Asks any OpenAI-compatible endpoint. */
async function askModel({ agent, conversationId, text, say }: Turn): Promise<string> {
  const { OPENAI_BASE_URL: base = 'https://api.openai.com/v1', OPENAI_API_KEY: key, OPENAI_MODEL: model } = process.env;
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const messages: object[] = [{ role: 'user', content: text }];
  const tools = toOpenAITools(await agent.manifest());
  for (let step = 0; step < 5; step++) {
    const body = JSON.stringify({ model: model ?? 'gpt-4o-mini', messages, tools });
    // A redirect would carry what the person wrote elsewhere.
    const response = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body, redirect: 'manual' });
    if (!response.ok)
      return say(`The model answered with the error ${response.status}.`, `模型返回了错误 ${response.status}。`);
    const { message } = ((await response.json()) as Completion).choices[0];
    const results = await runOpenAIToolCalls(agent, conversationId, message);
    if (results.length === 0) return message.content || '…';
    messages.push(message, ...results);
  }
  return say('The model kept asking for more, so I stopped.', '模型一直要求继续，所以我停下了。');
}

type Message = { content: string | null } & Parameters<typeof runOpenAIToolCalls>[2];
type Completion = { choices: [{ message: Message }] };
