import { hash } from 'node:crypto';
import { hashCanonical } from '@parley/documents';
import canonicalize from 'canonicalize';
import { canonicalize as jsonCanonicalize } from 'json-canonicalize';
import { makeManifest } from './manifest-fixtures.ts';
import { type BenchRow, compare, measure } from './measure.ts';

const TOOLS = [1, 5, 98];
const AIM_PEER = 2;
const AIM_LIMIT = 0.6;

/** Measures canonical form and hash of whole manifests (CM-16). All contenders use the same native hash. */
export async function* run(): AsyncIterable<BenchRow> {
  for (const tools of TOOLS) {
    const manifest = makeManifest(tools);
    const sha256 = (text: string | undefined) => hash('sha256', text!);
    const times = measure({
      ours: () => hashCanonical(manifest),
      canonicalize: () => sha256(canonicalize(manifest)),
      jsonCanonicalize: () => sha256(jsonCanonicalize(manifest)),
      limit: () => sha256(JSON.stringify(manifest)),
    });
    const { ours } = times;
    const size = `${(Buffer.byteLength(JSON.stringify(manifest)) / 1000).toFixed(1)} KB`;
    const name = 'canonicalise + hash';
    yield compare(name, `${size}, canonicalize`, { ours, peer: times.canonicalize, atLeast: AIM_PEER });
    yield compare(name, `${size}, json-canonicalize`, { ours, peer: times.jsonCanonicalize, atLeast: AIM_PEER });
    yield compare(name, `${size}, JSON.stringify (limit)`, { ours, peer: times.limit, atLeast: AIM_LIMIT });
  }
}
