import type { Finding } from './finding.ts';
import { join } from './pointer.ts';
import type { JsonSyntaxError } from './token.ts';

const MAX_FINDINGS = 100;
const MAX_SHOWN = 256;
const LONE_SURROGATES = /[\ud800-\udfff]/gu;

/** The findings of one parse, in the order of the text. Hostile input cannot make them large. */
export class Report {
  readonly findings: Finding[] = [];
  readonly #text: string;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get full(): boolean {
    return this.findings.length >= MAX_FINDINGS;
  }

  add(code: string, steps: readonly (string | number)[], at: number, params: Finding['params'] = {}): void {
    let path = '';
    for (const step of steps) path = join(path, typeof step === 'string' ? shorten(step) : step);
    this.findings.push({ code, severity: 'error', path, params: { ...params, ...this.#locate(at) } });
  }

  addSyntax(fault: JsonSyntaxError): void {
    this.add('JSON_SYNTAX', [], fault.at, { expected: fault.expected, found: describe(this.#text, fault.at) });
  }

  /**
   * Line and column from 1, the column in UTF-16 code units. It continues where the last search ended, so that 100
   * findings cost one pass.
   */
  #locate(at: number): { line: number; column: number } {
    for (;;) {
      const end = this.#text.indexOf('\n', this.#lineStart);
      if (end < 0 || end >= at) return { line: this.#line, column: at - this.#lineStart + 1 };
      this.#line++;
      this.#lineStart = end + 1;
    }
  }
}

/** Makes a key fit to be shown: it can be ten megabytes, or half a surrogate pair. */
export function shorten(key: string): string {
  const shown = key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}…` : key;
  return shown.replace(LONE_SURROGATES, '\ufffd');
}

function describe(text: string, at: number): string {
  const point = text.codePointAt(at);
  if (point === undefined) return 'end';
  if (point > 0x20 && point < 0x7f) return String.fromCodePoint(point);
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
