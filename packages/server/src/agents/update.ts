import type { Locale } from '@parley/base';
import { type Change, diffManifests, type Manifest, type ManifestDiff } from '@parley/documents';
import type { agentRoutes, ReplyOf } from '@parley/protocol';
import { answerOnce, type IdempotencyKey } from '../http/idempotency.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { noteManifestChange } from '../relations/reauth.ts';
import type { Trx } from '../storage/database.ts';
import type { AcceptedManifest } from './manifest.ts';
import { checkPrecondition, type Precondition } from './precondition.ts';
import { insertManifest, type LoadedAgent, lockAgent, searchColumns } from './store.ts';
import { storeWarnings, wireChange, wireFinding, wireStoredWarnings } from './wire.ts';

type UpdateReply = ReplyOf<typeof agentRoutes.updateAgent>;

export interface AgentUpdate {
  readonly agentId: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly visibility?: 'public' | 'private' | undefined;
  readonly accepted?: AcceptedManifest | undefined;
  readonly precondition: Precondition | undefined;
  readonly idempotencyKey: IdempotencyKey | undefined;
  readonly locale: Locale;
}

/**
 * Runs one PATCH at a time per agent, because each is compared with the one before and adds 1 to its version (RL-4).
 */
export async function updateAgent(platform: Platform, update: AgentUpdate): Promise<UpdateReply> {
  const now = platform.now();
  let wake = () => {};
  const reply = await platform.db.transaction().execute((trx) =>
    answerOnce(trx, { idempotencyKey: update.idempotencyKey, now }, async () => {
      const agent = await lockAgent(trx, update.agentId);
      if (agent.status === 'banned') throw new RequestError('FORBIDDEN');
      checkPrecondition(update.precondition, agent.capability_manifest_hash);
      const diff = compare(agent, update);
      const changes = diff?.changes ?? [];
      await write(trx, { agent, update, breaking: diff?.breaking ?? false, now });
      if (update.accepted !== undefined) {
        const { manifest, hash } = update.accepted;
        const version = agent.capability_manifest_version + 1;
        const published = { agentId: agent.id, version, hash, manifest };
        const wakeRelations = await noteManifestChange(trx, platform, { published, fromPrevious: diff });
        const breaking_changes = changes.filter((change) => change.breaking).length;
        wake = () => {
          platform.agentEvents.record(agent.id, { type: 'manifest.pushed', version, hash, breaking_changes });
          wakeRelations();
        };
      }
      return wireReply(agent, update, changes);
    }),
  );
  wake();
  return reply;
}

/** Compares with the current manifest; returns undefined where one of the two is missing. */
function compare(agent: LoadedAgent, { accepted, locale }: AgentUpdate): ManifestDiff | undefined {
  const before = agent.capability_manifest as Manifest | null;
  if (accepted === undefined || before === null) return undefined;
  return diffManifests(before, accepted.manifest, { locale });
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
        capability_manifest: JSON.stringify(accepted!.manifest),
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
