import { join } from '../json/pointer.ts';

const MAX_BYTES = 131_072;
const LARGE_BYTES = 65_536;
const MAX_DEPTH = 128;
/** A larger document is not checked further, and longer text is not read. */
const HOPELESS_BYTES = 10 * MAX_BYTES;

export interface Limits {
  readonly maxBytes: number;
  /** A document of this size or more gets a warning. */
  readonly largeBytes: number;
  readonly maxDepth: number;
  readonly hopelessBytes: number;
}

export const MANIFEST_LIMITS: Limits = {
  maxBytes: MAX_BYTES,
  largeBytes: LARGE_BYTES,
  maxDepth: MAX_DEPTH,
  hopelessBytes: HOPELESS_BYTES,
};

/** The part of a report that measuring needs. */
interface Findings {
  readonly isFull: boolean;
  add(
    code: 'MANIFEST_TOO_LARGE' | 'MANIFEST_LARGE' | 'MANIFEST_TOO_DEEP' | 'JSON_LONE_SURROGATE' | 'VALUE_NOT_JSON',
    path: string,
    params: Readonly<Record<string, string | number>>,
  ): void;
}

interface Frame {
  readonly container: object;
  /** Undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  /** The index of the child being visited. */
  at: number;
}

/**
 * Takes the first look at a value of unknown origin: is it JSON at all, how deep does it nest (CM-7), how many bytes is
 * its canonical form (CM-13)? It is a loop without recursion that does not build that form, so that any input ends
 * soon. It returns false if the value should not be checked further.
 */
export function measure(root: unknown, report: Findings, limits = MANIFEST_LIMITS): boolean {
  const bytes = new Measurement(report, limits).run(root);
  const params = { bytes, limit: limits.maxBytes };
  if (bytes > limits.maxBytes) report.add('MANIFEST_TOO_LARGE', '', params);
  else if (bytes >= limits.largeBytes) report.add('MANIFEST_LARGE', '', params);
  return bytes <= limits.hopelessBytes;
}

class Measurement {
  readonly #report: Findings;
  readonly #limits: Limits;
  readonly #stack: Frame[] = [];
  #bytes = 0;
  #tooDeep = false;

  constructor(report: Findings, limits: Limits) {
    this.#report = report;
    this.#limits = limits;
  }

  /** Exact for JSON up to `hopelessBytes`; beyond that, or with other faults, the size is at least this much. */
  run(root: unknown): number {
    this.#visit(root);
    for (let frame = this.#stack.at(-1); frame !== undefined; frame = this.#stack.at(-1)) {
      if (++frame.at >= frame.length) this.#stack.pop();
      else this.#visitChild(frame);
      if (this.#bytes > this.#limits.hopelessBytes || this.#report.isFull) break;
    }
    return this.#bytes;
  }

  #visitChild({ container, keys, at }: Frame): void {
    if (at > 0) this.#bytes += 1;
    if (keys !== undefined) {
      if (!this.#addString(keys[at]!)) this.#report.add('JSON_LONE_SURROGATE', this.#path(-1), {});
      this.#bytes += 1;
    }
    this.#visit((container as Readonly<Record<string | number, unknown>>)[keys?.[at] ?? at]);
  }

  #visit(value: unknown): void {
    if (typeof value === 'string') {
      if (!this.#addString(value)) this.#report.add('JSON_LONE_SURROGATE', this.#path(), {});
    } else if (Number.isFinite(value) || typeof value === 'boolean' || value === null) {
      this.#bytes += `${value}`.length;
    } else if (Array.isArray(value)) {
      this.#open({ container: value, keys: undefined, length: value.length, at: -1 });
    } else if (typeof value === 'object' && isPlain(value)) {
      const keys = Object.keys(value);
      this.#open({ container: value, keys, length: keys.length, at: -1 });
    } else {
      this.#report.add('VALUE_NOT_JSON', this.#path(), { actual: typeof value });
    }
  }

  #open(frame: Frame): void {
    this.#bytes += 2;
    if (this.#stack.length < this.#limits.maxDepth) {
      this.#stack.push(frame);
    } else if (!this.#tooDeep) {
      this.#tooDeep = true;
      this.#report.add('MANIFEST_TOO_DEEP', this.#path(), { limit: this.#limits.maxDepth });
    }
  }

  /** Counts a string as RFC 8785, section 3.2.2.2 writes it. Returns false if it has a lone surrogate. */
  #addString(text: string): boolean {
    let bytes = 2;
    let whole = true;
    for (let index = 0; index < text.length && bytes <= this.#limits.hopelessBytes; index++) {
      const code = text.codePointAt(index)!;
      if (code < 0x80) bytes += code < 0x20 ? controlLength(code) : code === 0x22 || code === 0x5c ? 2 : 1;
      else if (code < 0x800) bytes += 2;
      else if (code < 0x10000) {
        bytes += 3;
        if (code >= 0xd800 && code <= 0xdfff) whole = false;
      } else {
        bytes += 4;
        index++;
      }
    }
    this.#bytes += bytes;
    return whole;
  }

  /** The path of the value being visited; with -1, that of the object around it. */
  #path(end?: -1): string {
    let path = '';
    for (const { keys, at } of this.#stack.slice(0, end)) path = join(path, keys === undefined ? at : keys[at]!);
    return path;
  }
}

function controlLength(code: number): number {
  return code >= 0x08 && code <= 0x0d && code !== 0x0b ? 2 : 6;
}

/** False for a Date, a Map or a class instance. An object of another realm is plain. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
