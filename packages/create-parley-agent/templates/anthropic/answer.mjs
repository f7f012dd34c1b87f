// @ts-check
import Anthropic from '@anthropic-ai/sdk';
import { runAnthropicToolUses, toAnthropicTools } from '@parley/agent/anthropic';
import { readSetting } from './settings.mjs';
import { words } from './words.mjs';

/** A model that only ever calls tools is stopped. */
const MAX_TURNS = 8;
const MAX_TOKENS = 4_096;
/** What it remembers of a conversation, as JSON. The oldest exchange goes first. */
const MAX_HISTORY = 50_000;
const MAX_CONVERSATIONS = 1_000;

// ANTHROPIC_BASE_URL leads to any other server that speaks the same API.
const anthropic = new Anthropic({ apiKey: readSetting('ANTHROPIC_API_KEY') });
const model = readSetting('ANTHROPIC_MODEL');

/** @typedef {import('@anthropic-ai/sdk/resources/messages').MessageParam} Message */

/**
 * One exchange is what a person wrote and everything up to the answer: a tool use without its result is refused by the
 * model. All of it is forgotten when the process ends.
 *
 * @type {Map<string, Message[][]>}
 */
const histories = new Map();

/**
 * What the agent says to a message: the model decides, and may use the tools of the manifest on the way.
 *
 * @param {import('@parley/agent').Agent} agent
 * @param {import('@parley/agent').AgentMessage} message
 * @returns {Promise<string>}
 */
export async function answer(agent, { conversation_id: id, payload: { text } }) {
  const tools = toAnthropicTools(await agent.manifest(), { locale: words.locale });
  const history = histories.get(id) ?? [];
  /** @type {Message[]} */
  const exchange = [{ role: 'user', content: text }];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const message = await anthropic.messages.create({
      model,
      max_tokens: MAX_TOKENS,
      system: words.instructions,
      messages: [...history.flat(), ...exchange],
      tools,
    });
    exchange.push({ role: 'assistant', content: message.content });
    // A refusal by the person or the device is a result, too: the model is told, and goes on.
    const results = await runAnthropicToolUses(agent, id, message);
    if (results.length > 0) {
      exchange.push({ role: 'user', content: results });
      continue;
    }
    remember(id, [...history, exchange]);
    const said = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return said.join('\n\n') || words.nothing;
  }
  return words.tooManyTurns;
}

/**
 * @param {string} id
 * @param {Message[][]} history
 */
function remember(id, history) {
  while (JSON.stringify(history).length > MAX_HISTORY) history.shift();
  // The one that was used last is last.
  histories.delete(id);
  histories.set(id, history);
  const [oldest] = histories.keys();
  if (histories.size > MAX_CONVERSATIONS && oldest !== undefined) histories.delete(oldest);
}
