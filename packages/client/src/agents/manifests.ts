import { type Manifest, parseManifest } from '@parley/documents';
import type { Api, Store } from '@parley/messenger';
import { agentRoutes } from '@parley/protocol';
import { type VerifiedManifest, verifyManifest } from '../guard/verified-manifest.ts';

export interface Announced {
  readonly version: number;
  readonly hash: string | null;
  readonly name: string;
}

export type ManifestProblem = 'forged' | 'rolled_back';

/**
 * `unloaded`: not fetched yet, or the server was unreachable. `differs`: the server sent a text that does not match the
 * announced hash (CG-2).
 */
export type CurrentManifest =
  | { readonly state: 'unloaded' }
  | { readonly state: 'agrees'; readonly verified: VerifiedManifest }
  | { readonly state: 'differs' };

/** Knows each agent's current manifest as it was announced, and its text, checked against the announced hash (CG-2). */
export interface Manifests {
  announced(agentId: string): Announced | undefined;
  /** Returns undefined before the text was fetched, and for a text that is not the announced one. */
  verified(agentId: string): VerifiedManifest | undefined;
  current(agentId: string): CurrentManifest;
  /** Notes which manifest the server calls current; versions never go back (RL-4). */
  announce(agentId: string, announcement: { version: number; hash: string | null; name?: string }): Promise<void>;
  /** Asks the server which manifest is current, and for its text. */
  refresh(agentId: string): Promise<void>;
  /** Loads and verifies the announced manifest, from disk or from the server. */
  prepare(agentId: string): Promise<void>;
  /** Finds a manifest that was agreed to before. */
  find(agentId: string, agreed: { version: number; hash: string }): Promise<Manifest | undefined>;
}

interface ManifestDeps {
  readonly api: Api;
  readonly store: Store;
  onProblem(agentId: string, problem: ManifestProblem): void;
}

const ANNOUNCED = 'client/announced/';
const TEXT = 'client/manifest/';

export async function loadManifests({ api, store, onProblem }: ManifestDeps): Promise<Manifests> {
  const rows = await store.list(ANNOUNCED);
  const announced = new Map(rows.map(([key, text]) => [key.slice(ANNOUNCED.length), JSON.parse(text) as Announced]));
  const verified = new Map<string, VerifiedManifest>();
  /** Maps each agent to the announced hash for which the server sent another text. */
  const forged = new Map<string, string>();

  async function read(agentId: string, hash: string): Promise<VerifiedManifest | undefined> {
    const text = await store.get(TEXT + hash);
    if (text === undefined) return undefined;
    const parsed = parseManifest(text);
    return parsed.ok ? verifyManifest(parsed.value, hash, agentId) : undefined;
  }

  /** Returns false if the announcement contradicts an earlier one. */
  async function announce(agentId: string, announcement: Parameters<Manifests['announce']>[1]): Promise<boolean> {
    const known = announced.get(agentId);
    if (known !== undefined && isRollback(known, announcement)) {
      onProblem(agentId, 'rolled_back');
      return false;
    }
    const next = {
      version: announcement.version,
      hash: announcement.hash,
      name: announcement.name ?? known?.name ?? '',
    };
    if (known?.version === next.version && known.name === next.name) return true;
    announced.set(agentId, next);
    if (verified.get(agentId)?.hash !== next.hash) verified.delete(agentId);
    await store.write(new Map([[ANNOUNCED + agentId, JSON.stringify(next)]]));
    return true;
  }

  async function refresh(agentId: string): Promise<void> {
    const agent = await api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
    const { capability_manifest_version: version, capability_manifest_hash: hash, name } = agent;
    if (!(await announce(agentId, { version, hash, name })) || hash === null) return;
    if (verified.get(agentId)?.hash === hash) return;
    const manifest = verifyManifest(agent.capability_manifest, hash, agentId);
    if (manifest === undefined) {
      forged.set(agentId, hash);
      return onProblem(agentId, 'forged');
    }
    forged.delete(agentId);
    verified.set(agentId, manifest);
    await keep(manifest);
  }

  const keep = ({ hash, manifest }: VerifiedManifest) =>
    store.write(new Map([[TEXT + hash, JSON.stringify(manifest)]]));

  function current(agentId: string): CurrentManifest {
    const hash = announced.get(agentId)?.hash;
    const manifest = verified.get(agentId);
    if (manifest !== undefined && manifest.hash === hash) return { state: 'agrees', verified: manifest };
    return { state: typeof hash === 'string' && forged.get(agentId) === hash ? 'differs' : 'unloaded' };
  }

  return {
    announced: (agentId) => announced.get(agentId),
    verified: (agentId) => verified.get(agentId),
    current,
    announce: async (agentId, announcement) => void (await announce(agentId, announcement)),
    refresh: coalesce(refresh),
    async prepare(agentId) {
      const hash = announced.get(agentId)?.hash;
      if (hash === null || (hash !== undefined && verified.get(agentId)?.hash === hash)) return;
      const kept = hash === undefined ? undefined : await read(agentId, hash);
      if (kept !== undefined && announced.get(agentId)?.hash === kept.hash) verified.set(agentId, kept);
      else await refresh(agentId);
    },
    async find(agentId, { version, hash }) {
      const current = verified.get(agentId);
      if (current?.hash === hash) return current.manifest;
      const kept = await read(agentId, hash);
      if (kept !== undefined) return kept.manifest;
      const reply = await api.call(agentRoutes.readManifest, {
        params: { agent_id: agentId, version: String(version) },
      });
      const fetched = verifyManifest(reply.capability_manifest, hash, agentId);
      if (fetched !== undefined) await keep(fetched);
      return fetched?.manifest;
    },
  };
}

/** RL-4: versions only rise, and one version is one text. */
function isRollback(known: Announced, announcement: { version: number; hash: string | null }): boolean {
  return (
    announcement.version < known.version || (announcement.version === known.version && announcement.hash !== known.hash)
  );
}

/** A call during a run waits for the next run, which all such callers share. */
function coalesce(work: (id: string) => Promise<void>): (id: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();
  const start = (id: string): Promise<void> => {
    waiting.delete(id);
    const run = work(id).finally(() => {
      if (running.get(id) === run) running.delete(id);
    });
    running.set(id, run);
    return run;
  };
  return (id) => {
    const current = running.get(id);
    if (current === undefined) return start(id);
    let next = waiting.get(id);
    if (next === undefined) {
      next = current.then(
        () => start(id),
        () => start(id),
      );
      waiting.set(id, next);
    }
    return next;
  };
}
