import { hashManifest, type Json, type Manifest } from '@parley/documents';
import { type Api, createMemoryStore } from '@parley/messenger';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT, MANIFEST } from '../../tests/guard-fixtures.ts';
import { loadManifests, type ManifestProblem, type Manifests } from './manifests.ts';

const hashOf = (manifest: Manifest) => hashManifest(manifest as unknown as Json);
const NEXT = { ...MANIFEST, agent_version: '2.0.0' };

let served: { version: number; manifest: unknown; hash: string };
let asked = 0;
let problems: ManifestProblem[] = [];
const store = createMemoryStore();
const api = {
  baseUrl: '',
  token: async () => '',
  call: async () => {
    asked++;
    const { version, manifest, hash } = served;
    return {
      name: 'Bot',
      capability_manifest: manifest,
      capability_manifest_version: version,
      capability_manifest_hash: hash,
    };
  },
} as unknown as Api;
const load = (from = store): Promise<Manifests> =>
  loadManifests({ api, store: from, onProblem: (_, problem) => void problems.push(problem) });

beforeEach(() => {
  served = { version: 1, manifest: MANIFEST, hash: hashOf(MANIFEST) };
  asked = 0;
  problems = [];
});

describe('CG-2 manifests by agent', () => {
  it('CG-2 holds what is announced, checked against its hash, and keeps it over a restart', async () => {
    const manifests = await load();
    await manifests.prepare(AGENT);
    expect(manifests.verified(AGENT)?.hash).toBe(hashOf(MANIFEST));
    const again = await load();
    expect(again.verified(AGENT)).toBeUndefined();
    await again.prepare(AGENT);
    expect(again.verified(AGENT)?.hash).toBe(hashOf(MANIFEST));
    expect(asked).toBe(1);
  });

  it('CG-2 not loaded yet, agrees, differs: three states, and only the last is an accusation', async () => {
    const disk = createMemoryStore();
    const first = await load(disk);
    expect(first.current(AGENT)).toEqual({ state: 'unloaded' });
    await first.refresh(AGENT);
    expect(first.current(AGENT)).toMatchObject({ state: 'agrees', verified: { hash: hashOf(MANIFEST) } });
    // Announced, and kept on disk; but nobody has looked at it since the start.
    const second = await load(disk);
    expect(second.announced(AGENT)?.hash).toBe(hashOf(MANIFEST));
    expect(second.current(AGENT)).toEqual({ state: 'unloaded' });
    await second.prepare(AGENT);
    expect(second.current(AGENT)).toMatchObject({ state: 'agrees' });
    // Another one is announced: not loaded. Then the server shows another text than that.
    await second.announce(AGENT, { version: 9, hash: hashOf(NEXT) });
    expect(second.current(AGENT)).toEqual({ state: 'unloaded' });
    served = { version: 9, manifest: { ...NEXT, tools: [] }, hash: hashOf(NEXT) };
    await second.prepare(AGENT);
    expect(second.current(AGENT)).toEqual({ state: 'differs' });
    expect(problems).toEqual(['forged']);
    // The right text after all.
    served = { version: 9, manifest: NEXT, hash: hashOf(NEXT) };
    await second.refresh(AGENT);
    expect(second.current(AGENT)).toMatchObject({ state: 'agrees', verified: { hash: hashOf(NEXT) } });
  });

  it('CG-2 serve another text before anything was loaded: differs all the same', async () => {
    const disk = createMemoryStore();
    await (await load(disk)).announce(AGENT, { version: 1, hash: hashOf(MANIFEST) });
    const manifests = await load(disk);
    served = { version: 1, manifest: NEXT, hash: hashOf(MANIFEST) };
    await manifests.prepare(AGENT);
    expect(manifests.current(AGENT)).toEqual({ state: 'differs' });
    expect(problems).toEqual(['forged']);
  });

  it('CG-2 a server that cannot be asked is not accused', async () => {
    const away = { ...api, call: () => Promise.reject(new Error('away')) } as unknown as Api;
    const manifests = await loadManifests({
      api: away,
      store: createMemoryStore(),
      onProblem: (_, problem) => void problems.push(problem),
    });
    await manifests.announce(AGENT, { version: 1, hash: hashOf(MANIFEST) });
    await expect(manifests.prepare(AGENT)).rejects.toThrow('away');
    expect(manifests.current(AGENT)).toEqual({ state: 'unloaded' });
    expect(problems).toEqual([]);
  });

  it('CG-2 drops what is not the announced one any more, until the new one was fetched', async () => {
    const manifests = await load();
    await manifests.prepare(AGENT);
    await manifests.announce(AGENT, { version: 2, hash: hashOf(NEXT) });
    expect(manifests.verified(AGENT)).toBeUndefined();
    served = { version: 2, manifest: NEXT, hash: hashOf(NEXT) };
    await manifests.prepare(AGENT);
    expect(manifests.verified(AGENT)?.manifest.agent_version).toBe('2.0.0');
    expect(await manifests.find(AGENT, { version: 1, hash: hashOf(MANIFEST) })).toEqual(MANIFEST);
  });

  it('RL-4 roll the manifest back, or give one version two texts: ignored', async () => {
    const manifests = await load();
    await manifests.announce(AGENT, { version: 3, hash: hashOf(NEXT) });
    await manifests.announce(AGENT, { version: 2, hash: hashOf(MANIFEST) });
    await manifests.announce(AGENT, { version: 3, hash: hashOf(MANIFEST) });
    expect(problems).toEqual(['rolled_back', 'rolled_back']);
    expect(manifests.announced(AGENT)).toMatchObject({ version: 3, hash: hashOf(NEXT) });
  });

  it('CG-2 serve another text under the announced hash: not used, and reported', async () => {
    const manifests = await load();
    served = { version: 4, manifest: { ...NEXT, tools: [] }, hash: hashOf(NEXT) };
    await manifests.refresh(AGENT);
    expect(manifests.verified(AGENT)).toBeUndefined();
    expect(problems).toEqual(['forged']);
  });
});
