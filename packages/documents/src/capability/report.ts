import type { Locale } from '@parley/base';
import { CODES, type CodeTable, type ParamsOf } from '../codes.ts';
import { displayText } from '../display-text.ts';
import type { Finding, Message, Severity } from '../json/finding.ts';
import { type TextTable, toMessage } from '../messages.ts';

const MAX_PER_SEVERITY = 500;
/** A long key above many faults is part of the path of each. */
const MAX_PATH_CHARACTERS = 1_000_000;
const MAX_PARAM_LENGTH = 256;

/**
 * Collects the findings about one document. It is bounded, so that a hostile document cannot make a report much larger
 * than itself; errors and warnings have separate bounds, so that a flood of warnings cannot hide an error.
 */
export class Report<Table extends CodeTable = typeof CODES> {
  readonly #codes: CodeTable | undefined;
  readonly #findings: Finding[] = [];
  readonly #counts: Record<Severity, number> = { error: 0, warning: 0 };
  #pathCharacters = 0;
  #cut = false;

  constructor(codes?: Table) {
    this.#codes = codes;
  }

  get hasErrors(): boolean {
    return this.#counts.error > 0;
  }

  add<Code extends keyof Table & string>(code: Code, path: string, params: ParamsOf<Code, Table>): void {
    const { severity } = (this.#codes ?? (CODES as CodeTable))[code]!;
    if (!this.#admit(severity, path)) return;
    const shown: Record<string, string | number> = {};
    for (const [name, value] of Object.entries<string | number>(params)) {
      shown[name] = typeof value === 'string' ? displayText(value, MAX_PARAM_LENGTH) : value;
    }
    this.#findings.push({ code, severity, path, params: shown });
  }

  /** Adds a finding whose parameters are already short and harmless. */
  push(finding: Finding): void {
    if (this.#admit(finding.severity, finding.path)) this.#findings.push(finding);
  }

  /** Counts a finding, and says whether it is shown. The first error and the first warning always are. */
  #admit(severity: Severity, path: string): boolean {
    const count = ++this.#counts[severity];
    this.#pathCharacters += path.length;
    const fits = count <= MAX_PER_SEVERITY && this.#pathCharacters <= MAX_PATH_CHARACTERS;
    if (fits || count === 1) return true;
    this.#cut = true;
    return false;
  }

  /** True if further errors would only be counted. */
  get isFull(): boolean {
    return this.#counts.error > MAX_PER_SEVERITY;
  }

  messages(locale: Locale, texts: TextTable | undefined = this.#codes): Message[] {
    const messages = this.#findings.map((finding) => toMessage(finding, locale, texts));
    if (this.#cut) {
      const { severity } = CODES.TOO_MANY_FINDINGS;
      const params = { limit: MAX_PER_SEVERITY };
      messages.push(toMessage({ code: 'TOO_MANY_FINDINGS', severity, path: '', params }, locale));
    }
    return messages;
  }
}
