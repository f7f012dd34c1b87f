import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { streamJson } from './json-stream.ts';

async function* list(...items: unknown[]) {
  yield* items;
}

describe('OP-6 a JSON object that is written piece by piece', () => {
  it.each([
    [{}, {}],
    [{ one: { a: 1 } }, { one: { a: 1 } }],
    [{ none: list() }, { none: [] }],
    [
      { 'na"me': { a: null }, many: list(1, 'two', { three: ['ü', '\n'] }, null), last: { b: [] } },
      { 'na"me': { a: null }, many: [1, 'two', { three: ['ü', '\n'] }, null], last: { b: [] } },
    ],
  ])('OP-6 is what it would be at once (%#)', async (fields, whole) => {
    expect(JSON.parse(await text(streamJson(fields)))).toEqual(whole);
  });

  it('OP-6 reads ahead no further than is asked for', async () => {
    let made = 0;
    async function* endless() {
      for (;;) yield { number: made++, text: 'x'.repeat(1_000) };
    }
    const stream = streamJson({ endless: endless() });
    for await (const _ of stream) if (made > 200) break;
    expect(made).toBeLessThan(500);
    expect(stream.destroyed).toBe(true);
  });

  it('OP-6 fails where reading fails', async () => {
    async function* broken() {
      yield 1;
      throw new Error('the database is gone');
    }
    await expect(text(streamJson({ broken: broken() }))).rejects.toThrow('the database is gone');
  });
});
