import type { Locale } from '@parley/base';
import type { Change, Manifest, ManifestDiff } from '@parley/documents';
import type { agentRoutes, ReplyOf } from '@parley/protocol';
import { answerOnce, findReply, type IdempotencyKey } from '../http/idempotency.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { type Comparisons, compareVersions, listAgreed, MISSING } from '../relations/compare.ts';
import { eventBytes } from '../relations/notify.ts';
import { noteManifestChange } from '../relations/reauth.ts';
import { readManifestTexts } from '../relations/store.ts';
import type { Trx } from '../storage/database.ts';
import type { AcceptedManifest } from './manifest.ts';
import { checkPrecondition, type Precondition } from './precondition.ts';
import { makeRoomForManifest, reserveForManifest } from './room.ts';
import { insertManifest, type LoadedAgent, lockAgent, searchColumns } from './store.ts';
import { storeWarnings, wireChange, wireFinding, wireStoredWarnings } from './wire.ts';

type UpdateReply = ReplyOf<typeof agentRoutes.updateAgent>;

export interface AgentUpdate {
  readonly agentId: string;
  readonly ownerId: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly visibility?: 'public' | 'private' | undefined;
  readonly accepted?: AcceptedManifest | undefined;
  readonly precondition: Precondition | undefined;
  readonly idempotencyKey: IdempotencyKey | undefined;
  readonly locale: Locale;
}

/** Another node may publish again and again in between; each time, one comparison is missing. */
const MAX_ATTEMPTS = 50;

/**
 * Runs one PATCH at a time per agent, because each is compared with the one before and adds 1 to its version (RL-4).
 * They wait for each other outside of the database, and what they compare is compared before a short transaction,
 * which checks that nothing has moved (OP-5).
 */
export function updateAgent(platform: Platform, update: AgentUpdate): Promise<UpdateReply> {
  const { agentId, ownerId: account } = update;
  return platform.manifests.pushInTurn({ account, agentId }, async () => {
    const repeated = await findReply<UpdateReply>(platform.db, update.idempotencyKey);
    if (repeated !== undefined) return repeated;
    const comparisons: Comparisons = new Map();
    for (let attempt = 1; ; attempt++) {
      const prepared = await prepare(platform, update, comparisons);
      const { eventBytes: bytes } = prepared;
      if (attempt === 1 && bytes > 0) await reserveForManifest(platform, { agentId, ownerId: account, bytes });
      try {
        const work = () => publish(platform, update, prepared);
        const { reply, wake } = await platform.budgets.concurrent(account, 'connections', work);
        wake();
        return reply;
      } catch (error) {
        if (error !== MISSING) throw error;
        if (attempt === MAX_ATTEMPTS) throw new RequestError('UNAVAILABLE');
      }
    }
  });
}

interface Prepared {
  /** What the manifest was compared with. */
  readonly version: number | undefined;
  /** Undefined if the current manifest, or the new one, is missing. */
  readonly diff: ManifestDiff | undefined;
  readonly comparisons: Comparisons;
  /** What telling those who agree to an earlier one costs. */
  readonly eventBytes: number;
}

/** Makes the comparisons with the current manifest and with every one that someone agrees to. */
async function prepare(platform: Platform, update: AgentUpdate, comparisons: Comparisons): Promise<Prepared> {
  const { agentId, ownerId: account, accepted, locale } = update;
  if (accepted === undefined) return { version: undefined, diff: undefined, comparisons, eventBytes: 0 };
  const { db, manifests, budgets } = platform;
  const inTurn = <Result>(work: () => Promise<Result>) => budgets.concurrent(account, 'connections', work);
  const found = await inTurn(() => listAgreed(db, agentId));
  if (found === undefined) throw new RequestError('NOT_FOUND');
  const { version, hash } = found.current;
  // With an Idempotency-Key, whether it is refused is known only in the transaction.
  if (update.idempotencyKey === undefined) checkPrecondition(update.precondition, hash);
  const readTexts = async () => {
    const texts = await inTurn(() => readManifestTexts(db, agentId, [version]));
    return { before: texts.get(version) ?? null, after: accepted.text };
  };
  const pair = { before: hash, after: accepted.hash };
  const diff = hash === null ? undefined : await manifests.diff(account, pair, { policy: 'spec', locale, readTexts });
  if (diff !== undefined) comparisons.set(version, diff);
  const { hash: newHash, text } = accepted;
  await compareVersions(platform, { agentId, account, hash: newHash, text }, { versions: found.agreed, comparisons });
  const bytes = found.agreed.map(({ version, people }) => {
    const scopes = comparisons.get(version)?.scopesRequiringReauth ?? [];
    return people * eventBytes(JSON.stringify(scopes).length);
  });
  return { version, diff, comparisons, eventBytes: bytes.reduce((sum, size) => sum + size, 0) };
}

/** Throws `MISSING` if a comparison is needed that was not made. */
async function publish(
  platform: Platform,
  update: AgentUpdate,
  { version: compared, diff, comparisons }: Prepared,
): Promise<{ reply: UpdateReply; wake: () => void }> {
  const now = platform.now();
  const { accepted, idempotencyKey } = update;
  let wake = () => {};
  const reply = await platform.db.transaction().execute((trx) =>
    answerOnce(trx, { idempotencyKey, now }, async () => {
      const agent = await lockAgent(trx, update.agentId);
      if (agent.status === 'banned') throw new RequestError('FORBIDDEN');
      checkPrecondition(update.precondition, agent.capability_manifest_hash);
      if (accepted !== undefined && agent.capability_manifest_version !== compared) throw MISSING;
      const changes = diff?.changes ?? [];
      if (update.accepted !== undefined) {
        const version = agent.capability_manifest_version;
        await makeRoomForManifest(trx, platform, { agentId: agent.id, ownerId: agent.owner_id, version });
      }
      await write(trx, { agent, update, breaking: diff?.breaking ?? false, now });
      if (accepted !== undefined) {
        const { manifest, hash } = accepted;
        const version = agent.capability_manifest_version + 1;
        const published = { agentId: agent.id, ownerId: agent.owner_id, version, hash, manifest };
        const wakeRelations = await noteManifestChange(trx, platform, { published, comparisons });
        const breaking_changes = changes.filter((change) => change.breaking).length;
        wake = () => {
          platform.agentEvents.record(agent.id, { type: 'manifest.pushed', version, hash, breaking_changes });
          wakeRelations();
        };
      }
      return wireReply(agent, update, changes);
    }),
  );
  return { reply, wake };
}

interface Writing {
  readonly agent: LoadedAgent;
  readonly update: AgentUpdate;
  readonly breaking: boolean;
  readonly now: Date;
}

async function write(trx: Trx, { agent, update, breaking, now }: Writing): Promise<void> {
  const { accepted, name = agent.name, description = agent.description, visibility = agent.visibility } = update;
  const manifest = accepted?.manifest ?? (agent.capability_manifest as Manifest | null);
  const version = agent.capability_manifest_version + 1;
  await trx
    .updateTable('agents')
    .set({ name, description, visibility, ...searchColumns({ name, description, manifest }), updated_at: now })
    .$if(accepted !== undefined, (query) =>
      query.set({
        capability_manifest: accepted!.text,
        capability_manifest_version: version,
        capability_manifest_hash: accepted!.hash,
        warnings: storeWarnings(accepted!.warnings),
      }),
    )
    .where('id', '=', agent.id)
    .execute();
  if (accepted !== undefined) await insertManifest(trx, { agentId: agent.id, version, ...accepted, breaking, now });
}

/** Builds the reply to a changed manifest (RL-3). */
function wireReply(agent: LoadedAgent, { accepted, locale }: AgentUpdate, changes: readonly Change[]): UpdateReply {
  const wired = changes.map(wireChange);
  return {
    agent_id: agent.id,
    capability_manifest_version: agent.capability_manifest_version + (accepted === undefined ? 0 : 1),
    capability_manifest_hash: accepted?.hash ?? agent.capability_manifest_hash,
    breaking_changes: wired.filter((change) => change.breaking),
    changes: wired,
    warnings: accepted?.warnings.map(wireFinding) ?? wireStoredWarnings(agent.warnings, locale),
  };
}
