import { locatePointers } from '@parley/documents';

/** A place in a text: both from 1, the column in UTF-16 code units, as editors count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Where the values that JSON Pointers name stand in a JSON text: an object's member at its key, an array's element at its
 * start. What is not there, such as a missing field, is where the nearest thing around it is.
 */
export function locatePositions(text: string, pointers: readonly string[]): Map<string, Position> {
  const found = [...locatePointers(text, pointers)];
  return positions(text, new Map(found.map(([pointer, { key, value }]) => [pointer, (key ?? value).start])));
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
