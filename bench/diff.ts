import { diffManifests, type Json, type Manifest, validateManifest } from '@parley/documents';
import jsonSchemaDiff from 'json-schema-diff';
import { makeManifest } from './manifest-fixtures.ts';
import { type BenchRow, compareTimes, measure } from './measure.ts';

const AIM_PEER = 10;
const PEER_ROUNDS = 5;

/** Compares the diff of a small manifest with `json-schema-diff` run for each tool; then measures large ones. */
export async function* run(): AsyncIterable<BenchRow> {
  const before = manifest(makeManifest(20));
  const after = editTools(before, () => true);
  const peer = await timePeer(before, after);
  const { ours } = measure({ ours: () => diffManifests(before, after) });
  const row = compareTimes('diff', '20 tools, all edited, json-schema-diff', {
    ours,
    peer: ours.map(() => peer),
    underMs: 22,
  });
  yield { ...row, aim: `≥ ${AIM_PEER}×`, met: row.ratio >= AIM_PEER };

  const large = manifest(makeManifest(98));
  const few = editTools(large, (index) => index % 25 === 0);
  const all = editTools(large, () => true);
  const values = manifest(makeEnum(15_500));
  const fewer = manifest(makeEnum(15_500, 7_000));
  const times = measure({
    // Copies are used, so that no cache of an earlier run helps.
    value: () => diffManifests(structuredClone(values), structuredClone(fewer)),
    copy: () => [structuredClone(values), structuredClone(fewer)],
    few: () => diffManifests(large, few),
    all: () => diffManifests(large, all),
    walk: () => JSON.stringify(large) === JSON.stringify(all),
  });
  const size = `${Math.round(JSON.stringify(large).length / 1000)} KB`;
  yield compareTimes('diff', `${size}, 4 of 98 tools edited, writing both out`, {
    ours: times.few,
    peer: times.walk,
    underMs: 50,
  });
  yield compareTimes('diff', `${size}, all 98 tools edited, writing both out`, { ours: times.all, peer: times.walk });
  yield compareTimes('diff', 'an enum of 120 KB less one value, copying both', {
    ours: times.value,
    peer: times.copy,
    underMs: 50,
  });
}

/** Returns the processor time in seconds of the peer, which is asynchronous and knows only schemas. */
async function timePeer(before: Manifest, after: Manifest): Promise<number> {
  const pairs = before.tools.map((tool, index) => [tool.input_schema, after.tools[index]!.input_schema] as const);
  const samples: number[] = [];
  for (let round = 0; round < PEER_ROUNDS; round++) {
    const start = process.cpuUsage();
    for (const [sourceSchema, destinationSchema] of pairs) {
      await jsonSchemaDiff.diffSchemas({
        sourceSchema: sourceSchema as never,
        destinationSchema: destinationSchema as never,
      });
    }
    const { user, system } = process.cpuUsage(start);
    samples.push((user + system) / 1e6);
  }
  return samples.sort((a, b) => a - b)[PEER_ROUNDS >> 1]!;
}

function manifest(value: Json): Manifest {
  const result = validateManifest(value);
  if (!result.manifest) throw new Error('the benchmark made a manifest that is not valid');
  return result.manifest;
}

/** Creates a tool with a long list of values, from which one may be left out. */
function makeEnum(length: number, without?: number): Json {
  const listed = Array.from({ length }, (_, index) => `v${index.toString(36).padStart(4, '0')}`);
  const base = makeManifest(1) as { tools: object[] };
  const input_schema = {
    type: 'object',
    properties: { value: { enum: listed.filter((_, index) => index !== without) } },
    additionalProperties: false,
  };
  return { ...base, tools: [{ ...base.tools[0], input_schema }] } as Json;
}

/** Adds an optional argument to each chosen tool. */
function editTools(original: Manifest, chosen: (index: number) => boolean): Manifest {
  const copy = JSON.parse(JSON.stringify(original)) as {
    tools: { input_schema: { properties: Record<string, object> } }[];
  };
  for (const [index, tool] of copy.tools.entries()) {
    if (!chosen(index)) continue;
    tool.input_schema.properties[`added_${index}`] = { type: 'string', maxLength: 20 + index };
  }
  return manifest(copy as unknown as Json);
}
