import { Readable } from 'node:stream';

/** The fields of an object; those of an `AsyncIterable` are lists, which are never whole in memory. */
export type StreamedFields = Readonly<Record<string, object | AsyncIterable<unknown>>>;

/**
 * Writes a JSON object piece by piece, as fast as it is read (OP-6). If reading fails in the middle, the connection is
 * cut: what arrived is no JSON, so nobody takes it for the whole.
 */
export function streamJson(fields: StreamedFields): Readable {
  return Readable.from(write(fields), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* write(fields: StreamedFields): AsyncGenerator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(fields)) {
    yield `${separator}${JSON.stringify(name)}:`;
    if (Symbol.asyncIterator in value) yield* writeList(value as AsyncIterable<unknown>);
    else yield JSON.stringify(value);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
