import { type AgentEvent, type AgentMessage, HasheeAgent, type HasheeAgentOptions } from '@parley/agent';
import { createRateWindow } from '@parley/base';
import { chooseAgent } from './choose-agent.ts';
import { createAgent } from './create-agent.ts';
import { type Intent, parseIntent } from './intents.ts';
import { listAgents, listRelations } from './lists.ts';
import { askModel, type Model } from './model.ts';
import { OpenCards } from './open-cards.ts';
import { rotateToken } from './rotate-token.ts';
import { setWebhook } from './set-webhook.ts';
import { GREETING, localeOf, TEXTS } from './texts.ts';
import { createTurn, type Turn } from './turn.ts';
import { updateManifest } from './update-manifest.ts';

export interface HasheeOptions extends Omit<HasheeAgentOptions, 'connectionMode'> {
  /** Maps what the patterns do not understand to one of the same intents. */
  readonly model?: Model;
}

/** All people share the calls that one agent may make in a minute (TC-7): nobody may use them up for the others. */
const CALLS_OF_ONE = 12;

/** Starts Hashee (SA-1…SA-3): an ordinary agent on the public SDK, with no power but that of the device it talks to. */
export async function startHashee({ model, ...options }: HasheeOptions): Promise<HasheeAgent> {
  const agent = await HasheeAgent.init({ ...options, connectionMode: 'websocket' });
  const report = options.onError ?? (() => {});
  const calls = createRateWindow({ windowMs: 60_000, maxKeys: 10_000, now: () => performance.now() });
  const deps = { agent, cards: new OpenCards(), report, waitOf: (id: string) => calls.take(id, CALLS_OF_ONE) };

  agent.addMessageHandler(async ({ conversation_id: id, conversation_kind: kind, sender, payload }: AgentMessage) => {
    if (kind !== 'h2a' || sender.kind !== 'human' || payload.type === 'system') return;
    const { text } = payload;
    const turn = createTurn(deps, id, localeOf(text));
    await turn.attempt(async () => {
      const intent = parseIntent(text) ?? (await understand(text));
      if (intent?.kind === 'cancel') deps.cards.close(id);
      await follow(turn, intent);
    });
  });

  agent.addEventHandler(async (event: AgentEvent) => {
    if (event.type === 'relation.established') {
      await agent.send(event.conversation_id, { type: 'text', text: GREETING });
      return;
    }
    if (event.type !== 'artifact_response' || event.artifact.subtype === 'tool_response') return;
    const { conversation_id: id, sender, artifact } = event;
    if (sender.kind !== 'human') return;
    const resume = deps.cards.take(artifact.artifact_id, id);
    if (resume !== undefined) return resume(artifact.action, artifact.values ?? {});
    // The language of the card is forgotten with it, so the answer is in both.
    const text = `${TEXTS['zh-CN'].cardGone}\n\n${TEXTS.en.cardGone}`;
    await agent.send(id, { type: 'text', text });
  });

  async function understand(text: string): Promise<Intent | undefined> {
    if (model === undefined || text.trim() === '') return undefined;
    return askModel(model, text).catch((error) => void report(error));
  }

  return agent;
}

function follow(turn: Turn, intent: Intent | undefined): Promise<void> {
  const { texts } = turn;
  switch (intent?.kind) {
    case 'update_manifest':
      return chooseAgent(turn, intent.name, (agent) => updateManifest(turn, agent));
    case 'rotate_token':
      return chooseAgent(turn, intent.name, (agent) => rotateToken(turn, agent));
    case 'set_webhook':
      return chooseAgent(turn, intent.name, (agent) => setWebhook(turn, agent, intent.url));
    case 'create_agent':
      return createAgent(turn, intent.name === undefined ? {} : { name: intent.name });
    case 'list_agents':
      return listAgents(turn);
    case 'list_relations':
      return listRelations(turn);
    case 'cancel':
      return turn.say(texts.cancelled);
    case 'help':
      return turn.say(texts.help);
    default:
      return turn.say(`${texts.notUnderstood}\n\n${texts.help}`);
  }
}
