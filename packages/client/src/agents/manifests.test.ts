import { hashManifest, type Json, type Manifest } from '@parley/documents';
import { type Api, ApiError, createMemoryStore, type Store } from '@parley/messenger';
import { agentRoutes } from '@parley/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT, MANIFEST } from '../../tests/guard-fixtures.ts';
import { loadManifests, type ManifestProblem, type Manifests } from './manifests.ts';

const hashOf = (manifest: Manifest) => hashManifest(manifest as unknown as Json);
const NEXT = { ...MANIFEST, agent_version: '2.0.0' };

let served: { version: number; manifest: unknown; hash: string };
let asked = 0;
let problems: ManifestProblem[] = [];
/** What the server has under each number, besides the one that it calls current. */
let versions = new Map<number, unknown>();
let agreed: { version: number; hash: string } | undefined;
let agreements = 0;
let store: Store;
const api = {
  baseUrl: '',
  token: async () => '',
  call: async (contract: unknown, { params }: { params: { version?: string } }) => {
    asked++;
    if (contract === agentRoutes.readManifest) {
      const found = Number(params.version) === served.version ? served.manifest : versions.get(Number(params.version));
      if (found === undefined) throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'No such version.' });
      return { capability_manifest: found };
    }
    const { version, manifest, hash } = served;
    return {
      name: 'Bot',
      capability_manifest: manifest,
      capability_manifest_version: version,
      capability_manifest_hash: hash,
    };
  },
} as unknown as Api;
const rest = {
  agreed: () => agreed,
  onProblem: (_: string, problem: ManifestProblem) => void problems.push(problem),
  onAgreement: () => void agreements++,
};
const load = (from = store): Promise<Manifests> => loadManifests({ api, store: from, ...rest });

beforeEach(() => {
  served = { version: 1, manifest: MANIFEST, hash: hashOf(MANIFEST) };
  asked = 0;
  problems = [];
  versions = new Map();
  agreed = undefined;
  agreements = 0;
  store = createMemoryStore();
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
    const manifests = await loadManifests({ api: away, store: createMemoryStore(), ...rest });
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

  it('RL-4 attack: roll the manifest back, or give one version two texts: what the server still has counts', async () => {
    const manifests = await load();
    served = { version: 3, manifest: NEXT, hash: hashOf(NEXT) };
    await manifests.refresh(AGENT);
    versions.set(3, NEXT);
    for (const version of [2, 3]) {
      served = { version, manifest: MANIFEST, hash: hashOf(MANIFEST) };
      // Of the same number it shows two texts, so it stands by neither.
      if (version === 3) agreed = { version: 3, hash: hashOf(NEXT) };
      await manifests.announce(AGENT, served);
      await manifests.prepare(AGENT);
      expect(manifests.announced(AGENT)).toMatchObject({ version: 3, hash: hashOf(NEXT) });
      expect(manifests.verified(AGENT)?.hash).toBe(hashOf(NEXT));
    }
    expect(problems).toEqual(['rolled_back', 'rolled_back']);
  });

  it('CG-2 serve another text under the announced hash: not used, and reported', async () => {
    const manifests = await load();
    served = { version: 4, manifest: { ...NEXT, tools: [] }, hash: hashOf(NEXT) };
    await manifests.refresh(AGENT);
    expect(manifests.verified(AGENT)).toBeUndefined();
    expect(problems).toEqual(['forged']);
  });
});

describe('EE-24 a lie about a manifest', () => {
  const FAR = 1_000_000;
  const honest = () => {
    served = { version: 1, manifest: MANIFEST, hash: hashOf(MANIFEST) };
    versions = new Map();
  };

  it('EE-24 attack: one lie lasts: a manifest that does not exist takes away until the server does not stand by it', async () => {
    await (await load()).prepare(AGENT);
    for (const isRestarted of [false, true]) {
      const lied = await load();
      await lied.prepare(AGENT);
      await lied.announce(AGENT, { version: FAR, hash: hashOf(NEXT) });
      expect(lied.verified(AGENT)).toBeUndefined();
      expect(lied.announced(AGENT)?.hash).toBe(hashOf(NEXT));
      // The claim is on disk: a restart does not give back what it took away.
      const manifests = isRestarted ? await load() : lied;
      expect(manifests.announced(AGENT)?.hash).toBe(hashOf(NEXT));
      await manifests.prepare(AGENT);
      expect(manifests.announced(AGENT)).toMatchObject({ version: 1, hash: hashOf(MANIFEST) });
      expect(manifests.verified(AGENT)?.hash).toBe(hashOf(MANIFEST));
    }
    expect(problems).toEqual(['dropped', 'dropped']);
  });

  it('EE-24 attack: the row lies as well, for a while; then a row that agrees with what was seen makes it look', async () => {
    const manifests = await load();
    await manifests.prepare(AGENT);
    served = { version: FAR, manifest: null, hash: hashOf(NEXT) };
    await manifests.announce(AGENT, served);
    await manifests.prepare(AGENT);
    expect(manifests.current(AGENT)).toEqual({ state: 'differs' });
    const before = agreements;
    honest();
    await manifests.announce(AGENT, served);
    await manifests.prepare(AGENT);
    expect(manifests.current(AGENT)).toMatchObject({ state: 'agrees', verified: { hash: hashOf(MANIFEST) } });
    expect(problems).toEqual(['forged', 'dropped']);
    expect(agreements).toBe(before + 1);
  });

  it('EE-24 attack: a manifest of the server’s own under a high number, text and all: without it, the honest one counts', async () => {
    agreed = { version: 1, hash: hashOf(MANIFEST) };
    await (await load()).prepare(AGENT);
    served = { version: FAR, manifest: NEXT, hash: hashOf(NEXT) };
    const manifests = await load();
    await manifests.refresh(AGENT);
    expect(manifests.verified(AGENT)?.hash).toBe(hashOf(NEXT));
    honest();
    await manifests.refresh(AGENT);
    expect(manifests.announced(AGENT)).toMatchObject({ version: 1, hash: hashOf(MANIFEST) });
    expect((await load()).announced(AGENT)).toMatchObject({ version: 1 });
    expect(problems).toEqual(['dropped']);
  });

  it('EE-24 attack: "there is no such version" never leads behind what the person signed', async () => {
    const manifests = await load();
    served = { version: 5, manifest: NEXT, hash: hashOf(NEXT) };
    await manifests.refresh(AGENT);
    agreed = { version: 5, hash: hashOf(NEXT) };
    served = { version: 4, manifest: MANIFEST, hash: hashOf(MANIFEST) };
    await manifests.refresh(AGENT);
    expect(manifests.verified(AGENT)?.hash).toBe(hashOf(NEXT));
    expect(problems).toEqual(['rolled_back']);
    // The very text that was signed counts, whatever number it has now.
    served = { version: 2, manifest: NEXT, hash: hashOf(NEXT) };
    await manifests.refresh(AGENT);
    expect(manifests.announced(AGENT)).toMatchObject({ version: 2, hash: hashOf(NEXT) });
  });

  it('EE-24 a newer one that is announced while the server is asked is not lost', async () => {
    const manifests = await load();
    await manifests.prepare(AGENT);
    const asking = manifests.refresh(AGENT);
    await manifests.announce(AGENT, { version: 2, hash: hashOf(NEXT) });
    await asking;
    expect(manifests.announced(AGENT)).toMatchObject({ version: 2 });
    expect(manifests.verified(AGENT)).toBeUndefined();
  });

  it('EE-24 what the version before has on disk: seen where there is a text, else only claimed', async () => {
    await (await load()).prepare(AGENT);
    const old = (version: number, hash: string) => JSON.stringify({ version, hash, name: 'Bot' });
    await store.write(new Map([[`client/announced/${AGENT}`, old(1, hashOf(MANIFEST))]]));
    asked = 0;
    const manifests = await load();
    await manifests.prepare(AGENT);
    expect(asked).toBe(0);
    await store.write(new Map([[`client/announced/${AGENT}`, old(FAR, hashOf(NEXT))]]));
    const deceived = await load();
    await deceived.prepare(AGENT);
    expect(deceived.verified(AGENT)?.hash).toBe(hashOf(MANIFEST));
  });
});
