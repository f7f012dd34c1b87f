import type { Prompt, Remember } from '@parley/client';
import type { MessageKey, Words } from '../../messages/index.ts';

/** The key of each answer. */
type Key = 'a' | 'o' | 'v' | 't' | 'd' | 'n' | 's';

export type PromptAnswer = Key | 'help' | undefined;

/** What people type, in both languages. A map, because a plain object also answers to `constructor`. */
const TYPED: ReadonlyMap<string, PromptAnswer> = new Map<string, PromptAnswer>([
  ['allow', 'a'],
  ['允许', 'a'],
  ['once', 'o'],
  ['仅此一次', 'o'],
  ['values', 'v'],
  ['仅限这些值', 'v'],
  ['tool', 't'],
  ['整个工具', 't'],
  ['deny', 'd'],
  ['拒绝', 'd'],
  ['never', 'n'],
  ['始终拒绝', 'n'],
  ['永远拒绝', 'n'],
  ['stop', 's'],
  ['停止询问', 's'],
  ['?', 'help'],
  ['？', 'help'],
  ['help', 'help'],
  ['--help', 'help'],
  ['帮助', 'help'],
]);

const REMEMBER: Readonly<Partial<Record<Key, Remember>>> = { o: 'once', v: 'values', t: 'tool' };

/** The answers that this prompt takes, as the person is told about them. */
function keysOf({ remember, canAlwaysDeny, canStopAsking }: Prompt): readonly Key[] {
  const others = (['v', 'o', 't'] as const).filter((key) => {
    const choice = REMEMBER[key];
    // The first is what `a` means.
    return choice !== undefined && remember.indexOf(choice) > 0;
  });
  return ['a', ...others, 'd', ...(canAlwaysDeny ? (['n'] as const) : []), ...(canStopAsking ? (['s'] as const) : [])];
}

/** Undefined if it is no answer to this prompt. */
export function readAnswer(typed: string, prompt: Prompt): PromptAnswer {
  const word = typed.trim().toLowerCase();
  const answer = keysOf(prompt).find((key) => key === word) ?? TYPED.get(word);
  return answer === 'help' || (answer !== undefined && keysOf(prompt).includes(answer)) ? answer : undefined;
}

export function giveAnswer(answer: Key, prompt: Prompt): void {
  if (answer === 'd') prompt.deny();
  else if (answer === 'n') prompt.alwaysDeny();
  else if (answer === 's') prompt.stopAsking();
  else prompt.allow(REMEMBER[answer]);
}

/** The line below the question: the answers in few words. */
export function formatKeys(prompt: Prompt, words: Words): string {
  // The rest is behind the question mark: the line is not to become longer than a terminal.
  const shown = keysOf(prompt).flatMap((key) => (key === 'v' || key === 't' ? [] : [key]));
  const keys = [...shown, 'help' as const].map((key) => words.say(`chat.prompt.key.${key}`));
  return words.say('chat.prompt.keys', { keys: keys.join(words.say('chat.prompt.keys.between')) });
}

/** Everything that can be answered, one sentence for each. */
export function explainAnswers(prompt: Prompt, words: Words): string {
  const { tool, edge = '' } = prompt;
  return keysOf(prompt)
    .map((key) => `  ${key}  ${words.say(explanationOf(key, prompt), { tool: tool.name, edge })}`)
    .join('\n');
}

function explanationOf(key: Key, { remember: [first] }: Prompt): MessageKey {
  if (key !== 'a') return `chat.prompt.explain.${key}`;
  return first === undefined
    ? 'chat.prompt.explain.a.high'
    : first === 'edge'
      ? 'chat.prompt.explain.a.edge'
      : 'chat.prompt.explain.a.tool';
}
