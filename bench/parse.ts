import { parseJson } from '@parley/documents';
import { makeManifest } from './manifest-fixtures.ts';
import { type BenchRow, compare, compareTimes, measure } from './measure.ts';

const AIM_HOSTILE_MS = 50;

const HOSTILE = {
  'depth bomb, 1,000,000 brackets': '['.repeat(1_000_000),
  'key bomb, 100,000 keys': `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`).join(',')}}`,
  'one key 100,000 times': `{${'"k":0,'.repeat(100_000)}"k":0}`,
  'a string of 10 MB': `["${'a'.repeat(10_000_000)}"]`,
};

/** Compares strict parsing (CM-14) with the native parser, which is the limit because it checks less. */
export async function* run(): AsyncIterable<BenchRow> {
  for (const tools of [1, 5, 98]) {
    for (const indent of [0, 2]) {
      const text = JSON.stringify(makeManifest(tools), null, indent);
      const times = measure({ ours: () => parseJson(text), peer: () => JSON.parse(text) });
      const size = `${(Buffer.byteLength(text) / 1000).toFixed(1)} KB${indent ? ', indented' : ''}`;
      yield compare('parse', `${size}, JSON.parse (limit)`, times);
    }
  }
  for (const [detail, text] of Object.entries(HOSTILE)) {
    // Texts from the network are flat strings, not concatenations.
    const flat = Buffer.from(text).toString();
    const times = measure({ ours: () => parseJson(flat), peer: () => parseNatively(flat) });
    yield compareTimes('parse hostile text', `${detail}, JSON.parse`, { ...times, underMs: AIM_HOSTILE_MS });
  }
}

function parseNatively(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
