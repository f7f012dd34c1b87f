import type { Prompt } from '@parley/client';
import { formatPrompt } from './format-prompt.ts';
import type { Room } from './room.ts';

const TICK_MS = 1_000;

/** What people type, in both languages. */
const ANSWERS: Readonly<Record<string, 'allow' | 'deny' | 'alwaysDeny'>> = {
  a: 'allow',
  allow: 'allow',
  允许: 'allow',
  d: 'deny',
  deny: 'deny',
  拒绝: 'deny',
  n: 'alwaysDeny',
  never: 'alwaysDeny',
  永远拒绝: 'alwaysDeny',
};

/** Asks one after the other (CG-10); a prompt that is settled elsewhere, or too old, vanishes. */
export function watchPrompts(room: Room): () => void {
  const { device, screen } = room;
  let current: { readonly id: string; readonly gone: AbortController } | undefined;

  function look(): void {
    const [prompt] = device.prompts.getSnapshot();
    if (current !== undefined && current.id !== prompt?.id) {
      current.gone.abort();
      current = undefined;
    }
    if (prompt === undefined || current !== undefined) return;
    const gone = new AbortController();
    current = { id: prompt.id, gone };
    // Not from within the notification: answering changes what is being told.
    setImmediate(() => void askPrompt(prompt, gone.signal, room));
  }

  const stop = device.prompts.subscribe(look);
  look();
  return () => {
    stop();
    current?.gone.abort();
    screen.setLive('prompt', []);
  };
}

async function askPrompt(prompt: Prompt, signal: AbortSignal, room: Room): Promise<void> {
  const { device, screen, words } = room;
  if (signal.aborted) return;
  screen.print(formatPrompt(prompt, room));
  prompt.shown();
  const draw = () => {
    const held = device.prompts.getSnapshot().find(({ id }) => id === prompt.id);
    if (held !== undefined) screen.setLive('prompt', [formatChoices(held, device.prompts.getSnapshot().length, room)]);
  };
  draw();
  const timer = setInterval(draw, TICK_MS);
  signal.addEventListener('abort', () => screen.setLive('prompt', []));
  try {
    while (!signal.aborted) {
      const answer = await screen.ask({ label: `${words.say('chat.prompt.ask')} ` }, { over: true, signal });
      // Taken back, or the person has left: unanswered it stays, for the next start.
      if (answer === undefined) return;
      const choice = ANSWERS[answer.trim().toLowerCase()];
      if (choice === undefined || (choice === 'alwaysDeny' && !prompt.canAlwaysDeny)) {
        screen.print(words.say(prompt.canAlwaysDeny ? 'chat.prompt.which_high' : 'chat.prompt.which'));
        continue;
      }
      screen.setLive('prompt', []);
      prompt[choice]();
      return;
    }
  } finally {
    clearInterval(timer);
    screen.setLive('prompt', []);
  }
}

function formatChoices({ deadline, canAlwaysDeny }: Prompt, waiting: number, { words, paint }: Room): string {
  const choices = words.say(canAlwaysDeny ? 'chat.prompt.choices_high' : 'chat.prompt.choices');
  const left = deadline === undefined ? undefined : Math.max(0, Math.ceil((deadline - Date.now()) / 1_000));
  const clock = left === undefined ? '' : `${paint('red', words.say('chat.prompt.left', { seconds: left }))}  `;
  const more = waiting > 1 ? `  ${paint('dim', words.say('chat.prompt.more', { n: waiting - 1 }))}` : '';
  return `${clock}${choices}${more}`;
}
