import { displayName } from '../../display.ts';
import { watchContacts } from './contacts.ts';
import type { ChatNavigator } from './navigator.ts';
import { explainError, explainProblem } from './problems.ts';
import { runSlash } from './slash-commands.ts';
import { watchPrompts } from './watch-prompts.ts';

/** Sends each typed line, and runs those that begin with a slash as commands, until the person leaves. */
export async function runChatLoop(
  navigator: ChatNavigator,
  query: string | undefined,
  left: AbortSignal,
): Promise<void> {
  const { screen, words } = navigator.chat;
  const stops = [
    watchPrompts(navigator.chat),
    watchContacts(navigator.chat),
    watchProblems(navigator),
    watchConnection(navigator),
    watchReviews(navigator),
  ];
  try {
    if (query === undefined) await showHome(navigator);
    else await navigator.enter(query).catch((error: unknown) => screen.print(explainError(error, words)));
    while (!left.aborted) {
      const label = `${words.say(navigator.conversation() === undefined ? 'chat.home' : 'chat.you')} › `;
      const line = await screen.ask({ label }, { signal: left });
      if (line === undefined) return;
      await take(line, navigator).catch((error: unknown) => screen.print(explainError(error, words)));
    }
  } finally {
    for (const stop of stops) stop();
  }
}

/** A fresh device has to ask first what there is. */
async function showHome(navigator: ChatNavigator): Promise<void> {
  const { conversations, relations } = navigator.chat.device;
  if (conversations.list.getSnapshot().length === 0) {
    await Promise.all([relations.sync(), conversations.sync()]).catch(() => {});
  }
  navigator.list();
}

async function take(line: string, navigator: ChatNavigator): Promise<void> {
  const { device, screen, words } = navigator.chat;
  if (line.trim() === '') return;
  if (line.startsWith('/')) return runSlash(line, navigator);
  const conversationId = navigator.conversation();
  if (conversationId === undefined) {
    return /^\d+$/.test(line.trim()) ? navigator.open(line.trim()) : screen.print(words.say('chat.open_first'));
  }
  // Sent in the background, so that the next line can be typed while the server is slow.
  device.conversations
    .sendText(conversationId, line)
    .catch((error: unknown) => screen.print(explainError(error, words)));
}

function watchProblems({ chat }: ChatNavigator): () => void {
  const { device, screen, paint } = chat;
  let last = device.problems.getSnapshot().at(-1)?.id ?? 0;
  return device.problems.subscribe(() => {
    for (const { id, problem } of device.problems.getSnapshot()) {
      if (id <= last) continue;
      last = id;
      screen.print(`${paint('red', '!')} ${explainProblem(problem, chat)}`);
    }
  });
}

function watchConnection({ chat }: ChatNavigator): () => void {
  const { device, screen, words, paint } = chat;
  let timer: NodeJS.Timeout | undefined;
  const update = () => {
    clearTimeout(timer);
    const status = device.connection.getSnapshot();
    if (status === 'online') screen.setStatus('connection', []);
    // Short interruptions are not shown.
    else timer = setTimeout(() => screen.setStatus('connection', [paint('yellow', words.say('chat.offline'))]), 1_500);
  };
  const stop = device.connection.subscribe(update);
  update();
  return () => {
    stop();
    clearTimeout(timer);
    screen.setStatus('connection', []);
  };
}

/** Tells the person once that an agent needs a new consent (RL-9). */
function watchReviews({ chat }: ChatNavigator): () => void {
  const { device, screen, words, paint } = chat;
  const told = new Map<string, boolean>();
  const update = () => {
    for (const { relationId, agentName, needsReview } of device.relations.getSnapshot()) {
      if (needsReview && told.get(relationId) === false) {
        screen.print(paint('yellow', words.say('chat.review.wanted', { agent: displayName(agentName) })));
      }
      told.set(relationId, needsReview);
    }
  };
  update();
  return device.relations.subscribe(update);
}
