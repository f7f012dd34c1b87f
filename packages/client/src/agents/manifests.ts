import { createKeyedQueue } from '@parley/base';
import { type Manifest, parseManifest } from '@parley/documents';
import { type Api, ApiError, type Store } from '@parley/messenger';
import { agentRoutes } from '@parley/protocol';
import { type VerifiedManifest, verifyManifest } from '../guard/verified-manifest.ts';

export interface Announced {
  readonly version: number;
  readonly hash: string | null;
  readonly name: string;
}

/** `dropped`: the server no longer knows a version that it had announced or shown, so it was given up (EE-24). */
export type ManifestProblem = 'forged' | 'rolled_back' | 'dropped';

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
  /**
   * Notes which manifest the server calls current. A newer one takes the tools away until its text was seen. Whether it
   * exists, and whether an older one counts, `prepare` and `refresh` find out.
   */
  announce(agentId: string, announcement: Announcement): Promise<void>;
  /** Asks the server which manifest is current, and for its text. */
  refresh(agentId: string): Promise<void>;
  /** Loads and verifies the announced manifest, from disk or from the server. */
  prepare(agentId: string): Promise<void>;
  /** Finds a manifest that was agreed to before. */
  find(agentId: string, agreed: { version: number; hash: string }): Promise<Manifest | undefined>;
}

type Announcement = Version & { readonly name?: string };

interface ManifestDeps {
  readonly api: Api;
  readonly store: Store;
  /** What the person has agreed to last, as it was signed: no older manifest counts, whatever the server says (EE-24). */
  agreed(agentId: string): { readonly version: number; readonly hash: string | null } | undefined;
  onProblem(agentId: string, problem: ManifestProblem): void;
  /** The server shows the text that it announces, and nothing older than was seen. */
  onAgreement(agentId: string): void;
}

interface Version {
  readonly version: number;
  readonly hash: string | null;
}

/** What is known of an agent's manifest, on disk too. */
interface Known {
  readonly name: string;
  /** The newest whose text was seen and verified. */
  readonly seen?: Version;
  /** A newer one that the server has only spoken of. It takes away until it is refuted, and gives nothing (EE-15). */
  readonly claim?: Version;
}

const KNOWN = 'client/announced/';
const TEXT = 'client/manifest/';

export async function loadManifests(deps: ManifestDeps): Promise<Manifests> {
  const { api, store, onProblem } = deps;
  const known = await loadKnown(store);
  const verified = new Map<string, VerifiedManifest>();
  /** Maps each agent to the announced hash for which the server sent another text. */
  const forged = new Map<string, string>();
  /** Agents of whom the server has said something that contradicts what was seen: it is asked before anything counts. */
  const doubted = new Set<string>();
  const { run: inTurn } = createKeyedQueue();

  const announcedOf = (agentId: string): Announced | undefined => {
    const one = known.get(agentId);
    const version = one?.claim ?? one?.seen;
    return version && { ...version, name: one!.name };
  };

  async function read(agentId: string, hash: string): Promise<VerifiedManifest | undefined> {
    const text = await store.get(TEXT + hash);
    if (text === undefined) return undefined;
    const parsed = parseManifest(text);
    return parsed.ok ? verifyManifest(parsed.value, hash, agentId) : undefined;
  }

  async function put(agentId: string, next: Known): Promise<void> {
    const before = known.get(agentId);
    if (JSON.stringify(before) === JSON.stringify(next)) return;
    known.set(agentId, next);
    if (verified.get(agentId)?.hash !== announcedOf(agentId)?.hash) verified.delete(agentId);
    await store.write(new Map([[KNOWN + agentId, JSON.stringify(next)]]));
  }

  async function announce(agentId: string, { version, hash, name: given }: Announcement): Promise<void> {
    const { name = '', seen, claim } = known.get(agentId) ?? {};
    const kept = { name: given ?? name, ...(seen && { seen }) };
    const offered = { version, hash };
    if (seen === undefined || version > seen.version) return put(agentId, { ...kept, claim: offered });
    if (claim !== undefined || !isSame(seen, offered)) doubted.add(agentId);
    await put(agentId, { ...kept, ...(claim && { claim }) });
  }

  /** Takes over what the server shows, unless it contradicts itself, what was seen, or what was signed. */
  async function ask(agentId: string): Promise<void> {
    const { seen, claim } = known.get(agentId) ?? {};
    const agent = await api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
    const { capability_manifest_version: version, capability_manifest_hash: hash, name } = agent;
    const offered: Version = { version, hash };
    const settle = (result: Pick<Known, 'seen' | 'claim'>): Promise<void> => {
      const newer = known.get(agentId)?.claim;
      // Announced while the server was asked.
      const isNews = newer !== undefined && newer !== claim && newer.version > (result.seen?.version ?? version);
      return put(agentId, { name, ...result, ...(isNews && { claim: newer }) });
    };
    const contradicting = [claim, seen].filter((one) => one !== undefined && isOutdated(offered, one)) as Version[];
    for (const one of contradicting) {
      const text = await findVersion(agentId, one);
      if (text === undefined) continue;
      // RL-4: the server still has it, and shows an older one as the current. What it has counts.
      await keep(text);
      await settle({ seen: one });
      verified.set(agentId, text);
      return onProblem(agentId, 'rolled_back');
    }
    if (!mayFollow(deps.agreed(agentId), offered)) {
      await settle(seen === undefined ? {} : { seen });
      return onProblem(agentId, 'rolled_back');
    }
    const text = hash === null ? undefined : verifyManifest(agent.capability_manifest, hash, agentId);
    if (hash !== null && text === undefined) {
      forged.set(agentId, hash);
      await settle({ ...(seen && { seen }), claim: offered });
      return onProblem(agentId, 'forged');
    }
    if (text !== undefined) await keep(text);
    doubted.delete(agentId);
    forged.delete(agentId);
    await settle({ seen: offered });
    if (text !== undefined && announcedOf(agentId)?.hash === hash) verified.set(agentId, text);
    deps.onAgreement(agentId);
    if (contradicting.length > 0) onProblem(agentId, 'dropped');
  }

  /** Returns the text that the server has under this number, if it has this hash. */
  async function findVersion(agentId: string, { version, hash }: Version): Promise<VerifiedManifest | undefined> {
    if (hash === null) return undefined;
    try {
      const params = { agent_id: agentId, version: String(version) };
      const reply = await api.call(agentRoutes.readManifest, { params });
      return verifyManifest(reply.capability_manifest, hash, agentId);
    } catch (error) {
      // A number that is none is refused before anyone looks for it.
      if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return undefined;
      throw error;
    }
  }

  const keep = ({ hash, manifest }: VerifiedManifest) =>
    store.write(new Map([[TEXT + hash, JSON.stringify(manifest)]]));

  function current(agentId: string): CurrentManifest {
    const hash = announcedOf(agentId)?.hash;
    const manifest = verified.get(agentId);
    if (manifest !== undefined && manifest.hash === hash) return { state: 'agrees', verified: manifest };
    return { state: typeof hash === 'string' && forged.get(agentId) === hash ? 'differs' : 'unloaded' };
  }

  /** Loads the text of what was seen; false if the server has to be asked. */
  async function loadSeen(agentId: string): Promise<boolean> {
    const { seen, claim } = known.get(agentId) ?? {};
    if (seen === undefined || claim !== undefined || doubted.has(agentId)) return false;
    if (seen.hash === null || verified.get(agentId)?.hash === seen.hash) return true;
    const kept = await read(agentId, seen.hash);
    if (kept === undefined || announcedOf(agentId)?.hash !== kept.hash) return false;
    verified.set(agentId, kept);
    return true;
  }

  return {
    announced: announcedOf,
    verified: (agentId) => verified.get(agentId),
    current,
    announce,
    refresh: coalesce((agentId) => inTurn(agentId, () => ask(agentId))),
    prepare: (agentId) =>
      inTurn(agentId, async () => {
        if (!(await loadSeen(agentId))) await ask(agentId);
      }),
    async find(agentId, { version, hash }) {
      const current = verified.get(agentId);
      if (current?.hash === hash) return current.manifest;
      const kept = await read(agentId, hash);
      if (kept !== undefined) return kept.manifest;
      const fetched = await findVersion(agentId, { version, hash });
      if (fetched !== undefined) await keep(fetched);
      return fetched?.manifest;
    },
  };
}

const isSame = (a: Version, b: Version) => a.version === b.version && a.hash === b.hash;

/** RL-4: versions only rise, and one version is one text. */
function isOutdated(offered: Version, known: Version): boolean {
  return offered.version < known.version || (offered.version === known.version && offered.hash !== known.hash);
}

/**
 * An honest server may have to go back behind what a lying one has shown, but not behind what the person has signed;
 * whatever it goes back to, what differs from the text that was agreed to waits for the person (RL-9).
 */
function mayFollow(agreed: ReturnType<ManifestDeps['agreed']>, offered: Version): boolean {
  if (agreed === undefined || agreed.hash === null) return true;
  return offered.version > agreed.version || offered.hash === agreed.hash;
}

async function loadKnown(store: Store): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for (const [key, text] of await store.list(KNOWN)) {
    const stored = JSON.parse(text) as Known | Announced;
    known.set(key.slice(KNOWN.length), 'version' in stored ? await fromBefore(store, stored) : stored);
  }
  return known;
}

/** The version before kept the highest number ever announced, whether or not there was a text of it. */
async function fromBefore(store: Store, { name, version, hash }: Announced): Promise<Known> {
  const isSeen = hash === null || (await store.get(TEXT + hash)) !== undefined;
  return { name, [isSeen ? 'seen' : 'claim']: { version, hash } };
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
