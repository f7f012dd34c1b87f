import { isParleyError } from '@parley/base';
import type { Api } from '@parley/messenger';
import { type ReplyOf, webhookRoutes } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import { findOwnAgent } from '../account/own-agents.ts';
import { chooseServer } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { prepareSecretFile } from './secret-file.ts';
import { prepareSettings } from './settings-file.ts';

interface ServerOptions {
  readonly url?: string;
}

export interface SetWebhookOptions extends ServerOptions {
  readonly secretFile?: string;
  readonly settingsFile?: string;
}

/** Sets where the events of an agent go. The secret is written to a file, never to the screen (TR-5). */
export async function setWebhook(
  agent: string,
  address: string,
  options: SetWebhookOptions,
  words: Words,
): Promise<CommandResult> {
  const { secretFile, settingsFile } = options;
  if ((secretFile === undefined) === (settingsFile === undefined)) {
    const params = { one: '--secret-file', other: '--settings-file' };
    throw new CommandError('USAGE', { sentences: [{ key: 'usage.one_of', params }] });
  }
  const { api, agentId } = await open(agent, options);
  const place = prepareSecretPlace(options, agentId);
  try {
    const { url, secret } = await api.call(webhookRoutes.putWebhook, {
      params: { agent_id: agentId },
      body: { url: address },
    });
    if (secret !== undefined) place.keep(secret);
    const note = secret === undefined ? 'webhook.secret_stays' : 'webhook.secret_file';
    const kept = secretFile === undefined ? { settings_file: settingsFile } : { secret_file: secretFile };
    return {
      exit: EXIT.fine,
      json: { agent_id: agentId, url, secret_is_new: secret !== undefined, ...(secret === undefined ? {} : kept) },
      text: (paint) =>
        `${paint('green', '✓')} ${words.say('webhook.set', { url: displayName(url) })}\n` +
        `${words.say(note, { file: displayName(secretFile ?? settingsFile!) })}\n`,
    };
  } finally {
    place.discard();
  }
}

/** Ready before the secret is made, because one that cannot be written is lost. */
function prepareSecretPlace({ secretFile, settingsFile }: SetWebhookOptions, agentId: string) {
  if (secretFile !== undefined) return prepareSecretFile(secretFile, 'PARLEY_WEBHOOK_SECRET');
  const settings = prepareSettings(settingsFile!, agentId);
  const keep = (secret: string) => settings.write({ PARLEY_WEBHOOK_SECRET: secret });
  return { keep, discard: settings.discard };
}

export async function removeWebhook(agent: string, options: ServerOptions, words: Words): Promise<CommandResult> {
  const { api, agentId } = await open(agent, options);
  await api.call(webhookRoutes.deleteWebhook, { params: { agent_id: agentId } }).catch(explainMissing);
  const text = () => `${words.say('webhook.removed')}\n`;
  return { exit: EXIT.fine, json: { agent_id: agentId, removed: true }, text };
}

type Delivery = ReplyOf<typeof webhookRoutes.listDeliveries>['deliveries'][number];

/** The server waits ten seconds for an answer. */
const MAX_LOOKS = 60;
const PAUSE_MS = 250;

/** Has a ping delivered, and says how it went. */
export async function testWebhook(agent: string, options: ServerOptions, words: Words): Promise<CommandResult> {
  const { api, agentId } = await open(agent, options);
  const { delivery_id } = await api
    .call(webhookRoutes.testWebhook, { params: { agent_id: agentId } })
    .catch(explainMissing);
  const delivery = await waitForAttempt(api, agentId, delivery_id);
  const { status = 'pending', last_status = null, last_error = null } = delivery ?? {};
  const json = { agent_id: agentId, delivery_id, status, last_status, last_error };
  if (status === 'delivered') {
    return { exit: EXIT.fine, json, text: (paint) => `${paint('green', '✓')} ${words.say('webhook.delivered')}\n` };
  }
  const reason = last_error === 'STATUS' ? `HTTP ${last_status}` : (last_error ?? 'TIMEOUT');
  const stderr = words.say('webhook.not_delivered', { reason: displayName(reason) });
  return { exit: EXIT.bad, json, text: () => '', stderr: (paint) => `${paint('red', stderr)}\n` };
}

async function waitForAttempt(api: Api, agentId: string, deliveryId: string): Promise<Delivery | undefined> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { deliveries } = await api.call(webhookRoutes.listDeliveries, { params: { agent_id: agentId } });
    const found = deliveries.find(({ delivery_id }) => delivery_id === deliveryId);
    if (found !== undefined && (found.status !== 'pending' || found.last_error !== null)) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return undefined;
}

function explainMissing(error: unknown): never {
  if (!isParleyError(error, 'NOT_FOUND')) throw error;
  throw new CommandError('NOT_FOUND', { sentences: [{ key: 'webhook.none' }], cause: error });
}

async function open(agent: string, options: ServerOptions): Promise<{ api: Api; agentId: string }> {
  const api = openAccountApi(chooseServer(options.url), 'parley');
  return { api, agentId: await findOwnAgent(api, agent) };
}
