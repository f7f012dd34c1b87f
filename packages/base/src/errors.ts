import { fillText, type Locale, type Params, type Texts } from './locale.ts';

export interface ErrorEntry {
  /** May the same operation succeed if it is repeated later, unchanged? */
  readonly retry: boolean;
  readonly text: Texts;
}

/** The error codes of a package, as data. `docs/errors.md` is generated from all of them. */
export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

export interface ErrorOptions {
  readonly params?: Params | undefined;
  readonly cause?: unknown;
  /** Set where this occurrence differs from the table. */
  readonly retry?: boolean | undefined;
}

/** Shared by every copy of this package in a program, so that an error is known whichever of them made it. */
const BRAND = Symbol.for('@parley/base.ParleyError');

/**
 * An operation that failed. It is told apart by `code`, never by its class or its message. Bad input is a returned value
 * with findings instead, and a programmer's mistake is a `TypeError`.
 */
export class ParleyError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly retry: boolean;
  /** They fill the sentence, so they must hold nothing that may not be shown. */
  readonly params: Params;
  readonly #text: Texts;

  constructor(code: Code, entry: ErrorEntry, { params = {}, cause, retry = entry.retry }: ErrorOptions = {}) {
    super(fillText(entry.text.en, params), cause === undefined ? undefined : { cause });
    this.name = 'ParleyError';
    this.code = code;
    this.retry = retry;
    this.params = params;
    this.#text = entry.text;
  }

  get [BRAND](): true {
    return true;
  }

  /** The sentence for a person. Values are shown by `show`, which makes what a stranger wrote harmless. */
  explain(locale: Locale, show?: (value: unknown, name: string) => string): string {
    return fillText(this.#text[locale], this.params, show);
  }
}

/** Makes the errors of one table; the compiler knows its codes. */
export function createErrorFactory<const Table extends ErrorTable>(table: Table) {
  return <Code extends keyof Table & string>(code: Code, options?: ErrorOptions): ParleyError<Code> =>
    new ParleyError(code, table[code]!, options);
}

/** Is it an error of ours with one of these codes? Without codes: is it an error of ours at all? */
export function isParleyError<Code extends string>(
  error: unknown,
  ...codes: readonly Code[]
): error is ParleyError<Code> {
  if (!(error instanceof Error) || !(BRAND in error)) return false;
  return codes.length === 0 || codes.includes((error as ParleyError<Code>).code);
}
