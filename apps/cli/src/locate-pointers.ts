/** A place in a text: both from 1, the column in UTF-16 code units, as editors count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface Wanted {
  readonly pointer: string;
  readonly steps: Map<string, Wanted>;
}

interface Frame {
  readonly wanted: Wanted | undefined;
  /** The next index of an array; undefined for an object. */
  index: number | undefined;
}

/**
 * Where the values that JSON Pointers name stand in a text that is known to be JSON: an object's member at its key, an
 * array's element at its start. Of two members with one name the later counts, as it does for JSON.parse. What is not
 * there, such as a missing field, is where the nearest thing around it is.
 */
export function locatePointers(text: string, pointers: readonly string[]): Map<string, Position> {
  const root: Wanted = { pointer: '', steps: new Map() };
  for (const pointer of pointers) want(root, pointer);
  const offsets = scan(text, root);
  return positions(text, new Map(pointers.flatMap((pointer) => nearest(pointer, offsets))));
}

function want(root: Wanted, pointer: string): void {
  let node = root;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const next = node.steps.get(name) ?? { pointer: `${node.pointer}/${step}`, steps: new Map() };
    node.steps.set(name, next);
    node = next;
  }
}

function nearest(pointer: string, offsets: ReadonlyMap<string, number>): [string, number][] {
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const offset = offsets.get(around);
    if (offset !== undefined) return [[pointer, offset]];
    if (around === '') return [];
  }
}

/** Walks the text with a stack of its own: the call stack would not hold a hostile nesting. */
function scan(text: string, root: Wanted): Map<string, number> {
  const found = new Map<string, number>();
  const stack: Frame[] = [];
  let member: Wanted | undefined;
  let expectsKey = false;
  const note = (wanted: Wanted | undefined, at: number) => {
    if (wanted !== undefined) found.set(wanted.pointer, at);
  };
  for (const [at, end] of tokens(text)) {
    const word = text[at]!;
    const top = stack.at(-1);
    if (word === '}' || word === ']') stack.pop();
    else if (word === ',') expectsKey = top !== undefined && top.index === undefined;
    else if (word === ':') expectsKey = false;
    else if (expectsKey) {
      member = top?.wanted?.steps.get(readKey(text.slice(at, end)));
      note(member, at);
    } else {
      const isMember = top !== undefined && top.index === undefined;
      const value = isMember ? member : enter(top, root);
      if (!isMember) note(value, at);
      if (word === '{' || word === '[') stack.push({ wanted: value, index: word === '[' ? 0 : undefined });
      expectsKey = word === '{';
    }
  }
  return found;
}

/** The next element of an array, or the root itself. */
function enter(array: Frame | undefined, root: Wanted): Wanted | undefined {
  if (array?.index === undefined) return root;
  return array.wanted?.steps.get(`${array.index++}`);
}

const SPACE: ReadonlySet<string> = new Set(' \t\n\r\ufeff');
const SINGLE: ReadonlySet<string> = new Set([...SPACE, ...'{}[],:']);

function* tokens(text: string): Generator<[start: number, end: number]> {
  let end = 0;
  for (let at = 0; at < text.length; at = end) {
    end = tokenEnd(text, at);
    if (!SPACE.has(text[at]!)) yield [at, end];
  }
}

function tokenEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at);
  let end = at + 1;
  if (SINGLE.has(text[at]!)) return end;
  while (end < text.length && text[end] !== '"' && !SINGLE.has(text[end]!)) end++;
  return end;
}

/** A quote ends the string unless an odd number of backslashes stands before it. */
function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slash = end;
    while (text[slash - 1] === '\\') slash--;
    if ((end - slash) % 2 === 0) return end + 1;
  }
  return text.length;
}

function readKey(word: string): string {
  if (!word.includes('\\')) return word.slice(1, -1);
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}

/** One pass over the line ends for all of them. */
function positions(text: string, offsets: ReadonlyMap<string, number>): Map<string, Position> {
  const sorted = [...offsets].sort(([, a], [, b]) => a - b);
  const result = new Map<string, Position>();
  let line = 1;
  let start = 0;
  for (const [pointer, offset] of sorted) {
    for (let end = text.indexOf('\n', start); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    result.set(pointer, { line, column: offset - start + 1 });
  }
  return result;
}
