import { split } from './pointer.ts';
import { JsonSyntaxError, QUOTE, skipNumber, skipSpace, skipString, skipWord, startsNumber } from './token.ts';

/** Offsets in UTF-16 code units; `end` is after the last one. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** The position of a value in a JSON text. */
export interface JsonLocation {
  /** For a container, only its opening bracket. */
  readonly value: JsonSpan;
  readonly isContainer: boolean;
  /** The name of an object's member, including its quotes. */
  readonly key?: JsonSpan;
}

/** A step towards the wanted pointers. */
interface Wanted {
  readonly steps: Map<string, Wanted>;
  location?: JsonLocation | undefined;
}

interface Container {
  readonly wanted: Wanted | undefined;
  /** The next index of an array; undefined for an object. */
  index: number | undefined;
  /** True until something in it has been read. */
  isEmpty: boolean;
}

interface Reading {
  readonly text: string;
  readonly containers: Container[];
  /** The wanted pointers below the next value, and its key. */
  wanted: Wanted | undefined;
  key: JsonSpan | undefined;
}

/**
 * Finds the positions of the values that JSON Pointers name. Of two members with the same name the later counts, as in
 * JSON.parse. A value that does not exist, such as a missing field, gets the position of the nearest value around it. A
 * text that is not JSON is read up to its first fault.
 */
export function locatePointers(text: string, pointers: readonly string[]): Map<string, JsonLocation> {
  const root: Wanted = { steps: new Map() };
  for (const pointer of pointers) want(root, split(pointer) ?? []);
  try {
    walk(text, root);
  } catch (fault) {
    if (!(fault instanceof JsonSyntaxError)) throw fault;
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

/** It is a loop, not a recursion: the call stack would not hold a hostile nesting. */
function walk(text: string, root: Wanted): void {
  const reading: Reading = { text, containers: [], wanted: root, key: undefined };
  let at: number | undefined = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0);
  while (at !== undefined) at = advance(reading, readValue(reading, at));
}

/** Reads a scalar or the opening bracket of a container. Returns the offset after it. */
function readValue({ text, containers, wanted, key }: Reading, start: number): number {
  const open = text[start];
  const isContainer = open === '{' || open === '[';
  const end = isContainer ? start + 1 : skipScalar(text, start);
  note(wanted, { value: { start, end }, isContainer, ...(key === undefined ? {} : { key }) });
  if (isContainer) containers.push({ wanted, index: open === '[' ? 0 : undefined, isEmpty: true });
  return end;
}

/** Moves to the start of the next value. Returns undefined at the end of the document or at a fault. */
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

/** Moves from a key to the start of its value. */
function readKey(reading: Reading, { wanted: object }: Container, start: number): number | undefined {
  const { text } = reading;
  if (text.charCodeAt(start) !== QUOTE) return undefined;
  const key = { start, end: Math.abs(skipString(text, start)) };
  const colon = skipSpace(text, key.end);
  if (text[colon] !== ':') return undefined;
  const at = skipSpace(text, colon + 1);
  reading.key = key;
  reading.wanted = object?.steps.get(JSON.parse(text.slice(start, key.end)));
  // Noted before the value is read: the text may end here.
  note(reading.wanted, { value: { start: at, end: at }, isContainer: false, key });
  return at;
}

function skipScalar(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return Math.abs(skipString(text, at));
  return startsNumber(code) ? skipNumber(text, at) : skipWord(text, at);
}

/** Positions below an earlier member of the same name are dropped. */
function note(wanted: Wanted | undefined, location: JsonLocation): void {
  if (wanted === undefined) return;
  if (wanted.location !== undefined) for (const below of wanted.steps.values()) forget(below);
  wanted.location = location;
}

function forget(wanted: Wanted): void {
  wanted.location = undefined;
  for (const below of wanted.steps.values()) forget(below);
}
