import { split } from './pointer.ts';
import { QUOTE, SyntaxFault, skipNumber, skipSpace, skipString, skipWord, startsNumber } from './token.ts';

/** Offsets in UTF-16 code units; `end` is after the last one. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** Where a value stands in a JSON text. */
export interface JsonLocation {
  /** Of a container only its opening bracket. */
  readonly value: JsonSpan;
  readonly isContainer: boolean;
  /** Of a member of an object: its name, quotes included. */
  readonly key?: JsonSpan;
}

/** A step on the way to pointers that were asked for. */
interface Wanted {
  readonly steps: Map<string, Wanted>;
  location?: JsonLocation | undefined;
}

interface Container {
  readonly wanted: Wanted | undefined;
  /** The next index of an array; undefined for an object. */
  index: number | undefined;
  /** Nothing of it has been read yet. */
  isEmpty: boolean;
}

interface Reading {
  readonly text: string;
  readonly containers: Container[];
  /** What was asked for about the value that comes next, and its key. */
  wanted: Wanted | undefined;
  key: JsonSpan | undefined;
}

/**
 * Where the values that JSON Pointers name stand in a text. Of two members with one name the later counts, as it does
 * for JSON.parse. What is not there, such as a missing field, is where the nearest thing around it is. A text that is no
 * JSON is read up to its first fault.
 */
export function locatePointers(text: string, pointers: readonly string[]): Map<string, JsonLocation> {
  const root: Wanted = { steps: new Map() };
  for (const pointer of pointers) want(root, split(pointer) ?? []);
  try {
    walk(text, root);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
  }
  const found = new Map<string, JsonLocation>();
  for (const pointer of pointers) {
    const location = findNearest(root, split(pointer) ?? []);
    if (location !== undefined) found.set(pointer, location);
  }
  return found;
}

function want(root: Wanted, steps: readonly string[]): void {
  let node = root;
  for (const step of steps) {
    let next = node.steps.get(step);
    if (next === undefined) {
      next = { steps: new Map() };
      node.steps.set(step, next);
    }
    node = next;
  }
}

function findNearest(root: Wanted, steps: readonly string[]): JsonLocation | undefined {
  let { location } = root;
  let node = root;
  for (const step of steps) {
    node = node.steps.get(step)!;
    if (node.location === undefined) return location;
    location = node.location;
  }
  return location;
}

/** A loop, not a recursion: the call stack would not hold a hostile nesting. */
function walk(text: string, root: Wanted): void {
  const reading: Reading = { text, containers: [], wanted: root, key: undefined };
  let at: number | undefined = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0);
  while (at !== undefined) at = advance(reading, readValue(reading, at));
}

/** A scalar, or the opening bracket of a container. The answer is the offset after it. */
function readValue({ text, containers, wanted, key }: Reading, start: number): number {
  const open = text[start];
  const isContainer = open === '{' || open === '[';
  const end = isContainer ? start + 1 : skipScalar(text, start);
  note(wanted, { value: { start, end }, isContainer, ...(key === undefined ? {} : { key }) });
  if (isContainer) containers.push({ wanted, index: open === '[' ? 0 : undefined, isEmpty: true });
  return end;
}

/** To the start of the next value. Undefined at the end of the document, or where something else stands. */
function advance(reading: Reading, from: number): number | undefined {
  const { text, containers } = reading;
  for (let at = skipSpace(text, from); ; at = skipSpace(text, at + 1)) {
    const container = containers.at(-1);
    if (container === undefined) return undefined;
    if (text[at] === (container.index === undefined ? '}' : ']')) {
      containers.pop();
      continue;
    }
    if (!container.isEmpty && text[at] !== ',') return undefined;
    const entry = container.isEmpty ? at : skipSpace(text, at + 1);
    container.isEmpty = false;
    if (container.index === undefined) return readKey(reading, container, entry);
    reading.wanted = container.wanted?.steps.get(String(container.index++));
    reading.key = undefined;
    return entry;
  }
}

/** From a key to the start of its value. */
function readKey(reading: Reading, { wanted: object }: Container, start: number): number | undefined {
  const { text } = reading;
  if (text.charCodeAt(start) !== QUOTE) return undefined;
  const key = { start, end: Math.abs(skipString(text, start)) };
  const colon = skipSpace(text, key.end);
  if (text[colon] !== ':') return undefined;
  const at = skipSpace(text, colon + 1);
  reading.key = key;
  reading.wanted = object?.steps.get(JSON.parse(text.slice(start, key.end)));
  // Before the value is read: a text may break off here.
  note(reading.wanted, { value: { start: at, end: at }, isContainer: false, key });
  return at;
}

function skipScalar(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return Math.abs(skipString(text, at));
  return startsNumber(code) ? skipNumber(text, at) : skipWord(text, at);
}

/** What was found below an earlier member of the same name does not count. */
function note(wanted: Wanted | undefined, location: JsonLocation): void {
  if (wanted === undefined) return;
  if (wanted.location !== undefined) for (const below of wanted.steps.values()) forget(below);
  wanted.location = location;
}

function forget(wanted: Wanted): void {
  wanted.location = undefined;
  for (const below of wanted.steps.values()) forget(below);
}
