import type { Prompt } from '@parley/client';
import type { ChatContext } from './chat-context.ts';
import { formatPrompt } from './format-prompt.ts';

const TICK_MS = 1_000;

/** What people type as an answer, in both languages. */
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

/** Shows one prompt after the other (CG-10). A prompt that was answered elsewhere or has expired is removed. */
export function watchPrompts(chat: ChatContext): () => void {
  const { device, screen } = chat;
  let current: { readonly id: string; readonly gone: AbortController } | undefined;

  function update(): void {
    const [prompt] = device.prompts.getSnapshot();
    if (current !== undefined && current.id !== prompt?.id) {
      current.gone.abort();
      current = undefined;
    }
    if (prompt === undefined || current !== undefined) return;
    const gone = new AbortController();
    current = { id: prompt.id, gone };
    // Not called inside the notification, because answering changes the list that is being delivered.
    setImmediate(() => void askPrompt(prompt, gone.signal, chat));
  }

  const stop = device.prompts.subscribe(update);
  update();
  return () => {
    stop();
    current?.gone.abort();
    screen.setStatus('prompt', []);
  };
}

async function askPrompt(prompt: Prompt, signal: AbortSignal, chat: ChatContext): Promise<void> {
  const { device, screen, words } = chat;
  if (signal.aborted) return;
  screen.print(formatPrompt(prompt, chat));
  prompt.shown();
  const draw = () => {
    const held = device.prompts.getSnapshot().find(({ id }) => id === prompt.id);
    if (held !== undefined)
      screen.setStatus('prompt', [formatChoices(held, device.prompts.getSnapshot().length, chat)]);
  };
  draw();
  const timer = setInterval(draw, TICK_MS);
  signal.addEventListener('abort', () => screen.setStatus('prompt', []));
  try {
    while (!signal.aborted) {
      const answer = await screen.ask({ label: `${words.say('chat.prompt.ask')} ` }, { urgent: true, signal });
      // The prompt was withdrawn or the person left: it stays unanswered until the next start.
      if (answer === undefined) return;
      const choice = ANSWERS[answer.trim().toLowerCase()];
      if (choice === undefined || (choice === 'alwaysDeny' && !prompt.canAlwaysDeny)) {
        screen.print(words.say(prompt.canAlwaysDeny ? 'chat.prompt.which_high' : 'chat.prompt.which'));
        continue;
      }
      screen.setStatus('prompt', []);
      prompt[choice]();
      return;
    }
  } finally {
    clearInterval(timer);
    screen.setStatus('prompt', []);
  }
}

function formatChoices({ deadline, canAlwaysDeny }: Prompt, waiting: number, { words, paint }: ChatContext): string {
  const choices = words.say(canAlwaysDeny ? 'chat.prompt.choices_high' : 'chat.prompt.choices');
  const left = deadline === undefined ? undefined : Math.max(0, Math.ceil((deadline - Date.now()) / 1_000));
  const clock = left === undefined ? '' : `${paint('red', words.say('chat.prompt.left', { seconds: left }))}  `;
  const more = waiting > 1 ? `  ${paint('dim', words.say('chat.prompt.more', { n: waiting - 1 }))}` : '';
  return `${clock}${choices}${more}`;
}
