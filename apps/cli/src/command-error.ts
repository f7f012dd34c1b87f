import { type ErrorEntry, type Locale, type Params, ParleyError } from '@parley/base';
import { type CommandErrorCode, ERRORS } from './errors.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type MessageKey, wordsFor } from './messages/index.ts';
import { fillOwnCommands } from './own-command.ts';

export interface Sentence {
  readonly key: MessageKey;
  readonly params?: Params;
}

interface CommandErrorOptions {
  readonly params?: Params;
  readonly cause?: unknown;
  /** Sentences that replace the one of the code because they are more exact or the code is from another package. */
  readonly sentences?: readonly Sentence[];
  /** Needed only for a code of another package. */
  readonly exit?: ExitCode;
}

/** Says why a command cannot do what it was asked. The language is chosen when it is printed. */
export class CommandError extends ParleyError {
  readonly exit: ExitCode;
  readonly #sentences: readonly Sentence[];

  /** A code of `errors.ts` has its sentence there; any other code must bring one. */
  constructor(code: CommandErrorCode, options?: CommandErrorOptions);
  constructor(code: string, options: CommandErrorOptions & { readonly sentences: readonly Sentence[] });
  constructor(code: string, { params, cause, sentences = [], exit }: CommandErrorOptions = {}) {
    const entry = Object.hasOwn(ERRORS, code) ? ERRORS[code as CommandErrorCode] : undefined;
    const text = { en: say(sentences, 'en'), 'zh-CN': say(sentences, 'zh-CN') };
    super(code, entry === undefined ? { retry: false, text } : fillEntry(entry), { params, cause });
    this.name = 'CommandError';
    this.exit = exit ?? entry?.exit ?? EXIT.bad;
    this.#sentences = sentences;
  }

  override explain(locale: Locale, show?: (value: unknown, name: string) => string): string {
    return this.#sentences.length === 0 ? super.explain(locale, show) : say(this.#sentences, locale, show);
  }
}

function fillEntry({ retry, text }: ErrorEntry): ErrorEntry {
  return { retry, text: { en: fillOwnCommands(text.en), 'zh-CN': fillOwnCommands(text['zh-CN']) } };
}

function say(
  sentences: readonly Sentence[],
  locale: Locale,
  show: (value: unknown, name: string) => string = String,
): string {
  const words = wordsFor(locale);
  const lines = sentences.map(({ key, params = {} }) => {
    const shown = Object.entries(params).map(([name, value]) => [name, show(value, name)]);
    return words.say(key, Object.fromEntries(shown));
  });
  return lines.join('\n');
}
