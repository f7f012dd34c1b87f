import type { ChatMessage, Device, RelationView, TimelineSnapshot } from '@parley/client';
import { chooseServer } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { needDevice } from '../device/approval.ts';
import { openClient } from '../device/open.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { findAgent } from './conversation/find-agent.ts';
import { untrustedLines } from './conversation/quote-untrusted.ts';
import { chooseExecutors, type ExecutorOptions } from './executors.ts';

export interface SendOptions extends ExecutorOptions {
  readonly url?: string;
  readonly send: string;
  /** Exact names of the tools that are allowed; all others are denied. */
  readonly allow?: readonly string[];
  /** Adds the agent with exactly these permissions if it was not added yet. */
  readonly grant?: readonly string[];
  readonly wait?: string;
}

const DEFAULT_SECONDS = '60';

/** Sends one message and prints the answer, for scripts. It never asks. */
export async function send(agent: string | undefined, options: SendOptions, words: Words): Promise<CommandResult> {
  if (agent === undefined) throw new CommandError('USAGE', { sentences: [{ key: 'chat.send_needs_agent' }] });
  const { wait = DEFAULT_SECONDS } = options;
  if (!/^\d{1,4}$/.test(wait)) {
    throw new CommandError('USAGE', { sentences: [{ key: 'usage.number', params: { name: '--wait' } }] });
  }
  const shown: { title: string; body: string }[] = [];
  const executors = chooseExecutors(options, (notification) => void shown.push(notification));
  const { client, close } = await openClient(chooseServer(options.url), { words, executors });
  try {
    const device = needDevice(client);
    const relation = await findRelation(agent, device, options.grant);
    const stop = answerPrompts(device, relation, new Set(options.allow));
    try {
      return await withInterrupt('chat.interrupted', async (signal) => {
        const limit = { signal, ms: Number(wait) * 1_000 };
        return describe(await exchange(device, relation, options.send, limit), shown, words);
      });
    } finally {
      stop();
    }
  } finally {
    await close();
  }
}

async function findRelation(
  query: string,
  device: Device,
  grant: readonly string[] | undefined,
): Promise<RelationView> {
  await device.relations.sync();
  const found = await findAgent(query, device);
  if (found.kind === 'relation') return found.relation;
  if (found.kind === 'none') throw new CommandError('AGENT_UNKNOWN');
  if (found.kind === 'several') {
    const candidates = found.agents.map(
      ({ name, agent_id: id }) => ({ key: 'chat.find.candidate', params: { name, id } }) as const,
    );
    throw new CommandError('AGENT_UNKNOWN', { sentences: [{ key: 'chat.find.several' }, ...candidates] });
  }
  if (grant === undefined) throw new CommandError('AGENT_NOT_ADDED');
  const { agentId, manifestHash, preview, requiredScopes } = await device.agents.inspect(found.link);
  const declared = new Set(preview?.groups.flatMap(({ scopes }) => scopes.map(({ id }) => id)));
  const wrong = grant.find((id) => !declared.has(id));
  const missing = requiredScopes.find((id) => !grant.includes(id));
  if (manifestHash === null || wrong !== undefined || missing !== undefined) {
    const params = { scope: displayName(wrong ?? missing ?? '') };
    const key = wrong === undefined ? 'chat.grant_missing' : 'chat.grant_unknown';
    throw new CommandError('SCOPE_UNKNOWN', { exit: EXIT.bad, sentences: [{ key, params }] });
  }
  return device.relations.add({ agentId, scopes: [...grant], manifestHash });
}

/** Answers only the prompts of this conversation; those of other agents wait for a person. */
function answerPrompts(device: Device, { conversationId }: RelationView, allowed: ReadonlySet<string>): () => void {
  const update = () => {
    for (const prompt of device.prompts.getSnapshot()) {
      if (prompt.conversationId !== conversationId) continue;
      // Only for this run: a script leaves no silent window behind.
      setImmediate(() => (allowed.has(prompt.tool.name) ? prompt.allow('once') : prompt.deny()));
    }
  };
  update();
  return device.prompts.subscribe(update);
}

interface Exchanged {
  readonly conversationId: string;
  readonly sent: ChatMessage;
  readonly replies: readonly ChatMessage[];
  readonly answered: boolean;
}

/** Waits until the agent has answered and nothing is pending, or until the time is over. */
async function exchange(
  device: Device,
  { conversationId }: RelationView,
  text: string,
  { signal, ms }: { readonly signal: AbortSignal; readonly ms: number },
): Promise<Exchanged> {
  const since = performance.now();
  const timeline = device.conversations.timeline(conversationId);
  const sent = await device.conversations.sendText(conversationId, text);
  const repliesIn = ({ messages }: TimelineSnapshot) =>
    messages.filter((message) => !message.own && (message.seq ?? 0) > sent.seq!);
  const isAnswered = (snapshot: TimelineSnapshot) => {
    const replies = repliesIn(snapshot);
    const isBusy = replies.some(({ call }) => call?.state === 'waiting' || call?.state === 'running');
    return !isBusy && snapshot.streams.length === 0 && replies.some(({ call }) => call === undefined);
  };
  const answered = await new Promise<boolean>((resolve) => {
    const finish = (answer: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(answer);
    };
    // Not AbortSignal.timeout: Node 20 collects one that only AbortSignal.any knows of, and it never comes.
    const timer = setTimeout(() => finish(false), ms - (performance.now() - since));
    const update = () => {
      if (isAnswered(timeline.getSnapshot())) finish(true);
    };
    const stop = timeline.subscribe(update);
    signal.addEventListener('abort', () => finish(false), { once: true });
    if (signal.aborted) finish(false);
    update();
  });
  signal.throwIfAborted();
  return { conversationId, sent, replies: repliesIn(timeline.getSnapshot()), answered };
}

function describe(
  { conversationId, sent, replies, answered }: Exchanged,
  notifications: readonly { title: string; body: string }[],
  words: Words,
): CommandResult {
  const lines = replies.flatMap(({ payload }) => (payload.type === 'text' ? untrustedLines(payload.text) : []));
  const json = {
    conversation_id: conversationId,
    sent: { message_id: sent.messageId, seq: sent.seq },
    answered,
    replies: replies.filter(({ call }) => call === undefined).map(({ seq, payload }) => ({ seq, payload })),
    calls: replies.flatMap(toCallJson),
    notifications,
  };
  return {
    exit: answered ? EXIT.fine : EXIT.bad,
    json,
    text: () => lines.map((line) => `${line}\n`).join(''),
    stderr: () => (answered ? '' : `${words.say('chat.no_answer')}\n`),
  };
}

function toCallJson({ call, payload }: ChatMessage) {
  if (call === undefined || payload.type !== 'artifact' || payload.artifact.subtype !== 'tool_call') return [];
  const { call_id, tool_name } = payload.artifact;
  const { status, reason } = call.response ?? {};
  return [{ call_id, tool_name, state: call.state, status, reason }];
}
