import type { Prompt } from '@parley/client';
import type { ChatContext } from './chat-context.ts';
import { formatPrompt } from './format-prompt.ts';
import { explainAnswers, formatKeys, giveAnswer, readAnswer } from './prompt-answers.ts';

const TICK_MS = 1_000;
/** A question that took the place of an unanswered one takes no answer in its first moment: it was meant for the other. */
const SETTLE_MS = 1_000;

/** Shows one prompt after the other (CG-10). A prompt that was answered elsewhere or has expired is removed. */
export function watchPrompts(chat: ChatContext): () => void {
  const { device, screen } = chat;
  let current: { readonly id: string; readonly gone: AbortController; answered: boolean } | undefined;

  function update(): void {
    const [prompt] = device.prompts.getSnapshot();
    const before = current;
    if (before !== undefined && before.id !== prompt?.id) {
      before.gone.abort();
      current = undefined;
    }
    if (prompt === undefined || current !== undefined) return;
    const asked = { id: prompt.id, gone: new AbortController(), answered: false };
    current = asked;
    const settleMs = before?.answered === false ? SETTLE_MS : 0;
    const give = (answer: () => void) => {
      asked.answered = true;
      answer();
    };
    // Not called inside the notification, because answering changes the list that is being delivered.
    setImmediate(() => void askPrompt(prompt, chat, { signal: asked.gone.signal, settleMs, give }));
  }

  const stop = device.prompts.subscribe(update);
  update();
  return () => {
    stop();
    current?.gone.abort();
    screen.setStatus('prompt', []);
  };
}

interface AskPromptOptions {
  readonly signal: AbortSignal;
  readonly settleMs: number;
  give(answer: () => void): void;
}

async function askPrompt(
  prompt: Prompt,
  chat: ChatContext,
  { signal, settleMs, give }: AskPromptOptions,
): Promise<void> {
  const { device, screen, words } = chat;
  if (signal.aborted) return;
  screen.print(formatPrompt(prompt, chat));
  prompt.shown();
  // What can be answered changes while the question is open (CG-14).
  const latest = () => device.prompts.getSnapshot().find(({ id }) => id === prompt.id) ?? prompt;
  const draw = () => screen.setStatus('prompt', [formatChoices(latest(), device.prompts.getSnapshot().length, chat)]);
  draw();
  const timer = setInterval(draw, TICK_MS);
  const openAt = Date.now() + settleMs;
  signal.addEventListener('abort', () => screen.setStatus('prompt', []));
  try {
    while (!signal.aborted) {
      const typed = await screen.ask({ label: `${words.say('chat.prompt.ask')} ` }, { urgent: true, signal });
      // The prompt was withdrawn or the person left: it stays unanswered until the next start.
      if (typed === undefined) return;
      const held = latest();
      const answer = readAnswer(typed, held);
      if (answer === 'help') screen.print(explainAnswers(held, words));
      else if (answer === undefined) screen.print(words.say('chat.prompt.which'));
      else if (Date.now() < openAt) screen.print(words.say('chat.prompt.changed'));
      else {
        screen.setStatus('prompt', []);
        give(() => giveAnswer(answer, held));
        return;
      }
    }
  } finally {
    clearInterval(timer);
    screen.setStatus('prompt', []);
  }
}

function formatChoices(prompt: Prompt, waiting: number, { words, paint }: ChatContext): string {
  const { deadline } = prompt;
  const left = deadline === undefined ? undefined : Math.max(0, Math.ceil((deadline - Date.now()) / 1_000));
  const clock = left === undefined ? '' : `${paint('red', words.say('chat.prompt.left', { seconds: left }))}  `;
  const more = waiting > 1 ? `  ${paint('dim', words.say('chat.prompt.more', { n: waiting - 1 }))}` : '';
  return `${clock}${formatKeys(prompt, words)}${more}`;
}
