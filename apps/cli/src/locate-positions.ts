import { locatePointers } from '@parley/documents';

/** A position in a text: line and column start at 1; columns count UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the positions of JSON Pointers in a JSON text: an object's member is at its key, an array's element at its
 * start. For a value that is missing, it is the position of the nearest container.
 */
export function locatePositions(text: string, pointers: readonly string[]): Map<string, Position> {
  const found = [...locatePointers(text, pointers)];
  return positions(text, new Map(found.map(([pointer, { key, value }]) => [pointer, (key ?? value).start])));
}

/** Finds all positions in one pass over the line ends. */
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
