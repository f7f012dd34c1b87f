import { parseManifest, validateManifest } from '@parley/documents';
import { makeManifest } from './manifest-fixtures.ts';
import { type BenchRow, compare, measure } from './measure.ts';

const TOOLS = [1, 5, 98];

/** Compares validation from text to findings (CM-1 to CM-16) with `JSON.parse` of the same text, which checks nothing. */
export async function* run(): AsyncIterable<BenchRow> {
  for (const tools of TOOLS) {
    const text = JSON.stringify(makeManifest(tools), null, 2);
    const validate = () => {
      const parsed = parseManifest(text);
      if (!parsed.ok || !validateManifest(parsed.value).valid) throw new Error('the manifest should be valid');
    };
    const times = measure({ ours: validate, limit: () => JSON.parse(text) });
    const size = `${(Buffer.byteLength(text) / 1000).toFixed(1)} KB`;
    yield compare('parse + validate', `${size}, JSON.parse alone (limit)`, { ours: times.ours, peer: times.limit });
  }
}
