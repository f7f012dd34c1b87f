import { displayName } from '../../show.ts';
import type { House } from './house.ts';
import { explainError, explainProblem } from './problems.ts';
import { runSlash } from './slash.ts';
import { watchPrompts } from './watch-prompts.ts';

/** From the first line to the last: what is typed is sent, what begins with a slash is done. */
export async function converse(house: House, wish: string | undefined, left: AbortSignal): Promise<void> {
  const { screen, words } = house.room;
  const stops = [watchPrompts(house.room), watchProblems(house), watchConnection(house), watchReviews(house)];
  try {
    if (wish === undefined) house.list();
    else await house.enter(wish).catch((error: unknown) => screen.print(explainError(error, words)));
    while (!left.aborted) {
      const title = house.relation()?.agentName;
      const label = title === undefined ? `${words.say('chat.home')} › ` : `${words.say('chat.you')} › `;
      const line = await screen.ask({ label }, { signal: left });
      if (line === undefined) return;
      await take(line, house).catch((error: unknown) => screen.print(explainError(error, words)));
    }
  } finally {
    for (const stop of stops) stop();
  }
}

async function take(line: string, house: House): Promise<void> {
  const { device, screen, words } = house.room;
  if (line.trim() === '') return;
  if (line.startsWith('/')) return runSlash(line, house);
  const conversationId = house.conversation();
  if (conversationId === undefined) {
    return /^\d+$/.test(line.trim()) ? house.open(line.trim()) : screen.print(words.say('chat.open_first'));
  }
  // Sent in the background: the next line can be typed while the server is slow.
  device.conversations
    .sendText(conversationId, line)
    .catch((error: unknown) => screen.print(explainError(error, words)));
}

function watchProblems({ room }: House): () => void {
  const { device, screen, words, paint } = room;
  let last = device.problems.getSnapshot().at(-1)?.id ?? 0;
  return device.problems.subscribe(() => {
    for (const { id, problem } of device.problems.getSnapshot()) {
      if (id <= last) continue;
      last = id;
      screen.print(`${paint('red', '!')} ${explainProblem(problem, words)}`);
    }
  });
}

function watchConnection({ room }: House): () => void {
  const { device, screen, words, paint } = room;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    clearTimeout(timer);
    const status = device.connection.getSnapshot();
    if (status === 'online') screen.setLive('connection', []);
    // A short gap is nobody's concern.
    else timer = setTimeout(() => screen.setLive('connection', [paint('yellow', words.say('chat.offline'))]), 1_500);
  };
  const stop = device.connection.subscribe(look);
  look();
  return () => {
    stop();
    clearTimeout(timer);
    screen.setLive('connection', []);
  };
}

/** Says it once when an agent wants to be agreed to again (RL-9). */
function watchReviews({ room }: House): () => void {
  const { device, screen, words, paint } = room;
  const told = new Map<string, boolean>();
  const look = () => {
    for (const { relationId, agentName, needsReview } of device.relations.getSnapshot()) {
      if (needsReview && told.get(relationId) === false) {
        screen.print(paint('yellow', words.say('chat.review.wanted', { agent: displayName(agentName) })));
      }
      told.set(relationId, needsReview);
    }
  };
  look();
  return device.relations.subscribe(look);
}
