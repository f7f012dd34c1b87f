// @ts-check
import { runOpenAIToolCalls, toOpenAITools } from '@parley/agent/openai';
import OpenAI from 'openai';
import { readSetting } from './settings.mjs';
import { words } from './words.mjs';

/** A model that only ever calls tools is stopped. */
const MAX_TURNS = 8;
/** What it remembers of a conversation, as JSON. The oldest exchange goes first. */
const MAX_HISTORY = 50_000;
const MAX_CONVERSATIONS = 1_000;

// OPENAI_BASE_URL leads to any other server that speaks the same API.
const openai = new OpenAI({ apiKey: readSetting('OPENAI_API_KEY') });
const model = readSetting('OPENAI_MODEL');

/** @typedef {import('openai/resources/chat/completions').ChatCompletionMessageParam} Message */

/**
 * One exchange is what a person wrote and everything up to the answer: a tool call without its result is refused by the
 * model. All of it is forgotten when the process ends.
 *
 * @type {Map<string, Message[][]>}
 */
const histories = new Map();

/**
 * What the agent says to a message: the model decides, and may call the tools of the manifest on the way.
 *
 * @param {import('@parley/agent').Agent} agent
 * @param {import('@parley/agent').AgentMessage} message
 * @returns {Promise<string>}
 */
export async function answer(agent, { conversation_id: id, payload: { text } }) {
  const tools = toOpenAITools(await agent.manifest(), { locale: words.locale });
  const history = histories.get(id) ?? [];
  /** @type {Message[]} */
  const exchange = [{ role: 'user', content: text }];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    /** @type {Message[]} */
    const messages = [{ role: 'system', content: words.instructions }, ...history.flat(), ...exchange];
    const { choices } = await openai.chat.completions.create({ model, messages, tools });
    const message = choices[0]?.message;
    if (message === undefined) throw new Error('The model gave no choice.');
    // A refusal by the person or the device is a result, too: the model is told, and goes on.
    const results = await runOpenAIToolCalls(agent, id, message);
    exchange.push(message, ...results);
    if (results.length > 0) continue;
    remember(id, [...history, exchange]);
    return message.content || message.refusal || words.nothing;
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
