import type { BodyOf, changeRelation, EventPayload, LedgerEntry } from '@parley/protocol';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { type Consent, consentTo } from './consent.ts';
import { appendEntry } from './ledger.ts';
import { type AfterCommit, notifyBoth } from './notify.ts';
import { findManifest, isWithin, type LockedRelation, type Relation } from './store.ts';
import { toGrants } from './wire.ts';

/** Changes the grants from now on (RL-7, RL-9). With the current manifest it also answers whatever was pending. */
export async function change(
  platform: Platform,
  trx: Trx,
  locked: LockedRelation,
  input: BodyOf<typeof changeRelation>,
): Promise<AfterCommit> {
  const { relation, agent } = locked;
  if (relation.status === 'ended') throw new RequestError('RELATION_ENDED');
  const { granted_scopes: scopes, ledger_entry: entry } = input;
  const hash = input.manifest_hash ?? entry?.manifest_hash;
  const lessOfTheSame =
    hash !== agent.capability_manifest_hash &&
    hash === relation.agreed_hash &&
    isWithin(scopes, relation.granted_scopes);
  // Revoking must not wait until a new manifest has been read: what is pending stays pending.
  const consent = lessOfTheSame ? await consentAsAgreed(trx, relation, scopes) : consentTo(agent, scopes, hash);
  if (entry === undefined && isAsAgreed(relation, consent)) return () => {};
  const ledger = entry ? await appendEntry(trx, locked, entry, consent) : { signed: false };
  const changed = await trx
    .updateTable('h2a_relations')
    .set({
      ...ledger,
      granted_scopes: JSON.stringify(scopes),
      agreed_version: consent.version,
      agreed_hash: consent.hash,
      agreed_mode: consent.mode,
      updated_at: platform.now(),
    })
    .where('id', '=', relation.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const answer = lessOfTheSame ? 'changed' : describeAnswer(relation.pending_scopes, scopes);
  return notifyBoth(platform, trx, relation, 'agent.capability_changed', { ...toGrants(changed), answer });
}

/** Is that what its person said last? Then there is nothing to store, and nobody to tell. */
function isAsAgreed(relation: Relation, { scopes, version, hash, mode }: Consent): boolean {
  const { granted_scopes: granted, agreed_version, agreed_hash, agreed_mode } = relation;
  const isSameText = version === agreed_version && hash === agreed_hash && mode === agreed_mode;
  return isSameText && isWithin(scopes, granted) && isWithin(granted, scopes);
}

/** Stores a device's signature for what a plain call granted or revoked before (RL-10). */
export async function sign(
  platform: Platform,
  trx: Trx,
  locked: LockedRelation,
  entry: LedgerEntry,
): Promise<AfterCommit> {
  const { relation } = locked;
  const consent =
    relation.status === 'ended' ? 'revoke' : await consentAsAgreed(trx, relation, relation.granted_scopes);
  const signed = await trx
    .updateTable('h2a_relations')
    .set({ ...(await appendEntry(trx, locked, entry, consent)), updated_at: platform.now() })
    .where('id', '=', relation.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return notifyBoth(platform, trx, relation, 'agent.capability_changed', { ...toGrants(signed), answer: 'changed' });
}

async function consentAsAgreed(trx: Trx, relation: Relation, scopes: readonly string[]): Promise<Consent> {
  const { agreed_version: version, agreed_hash: hash, agreed_mode: mode } = relation;
  return { scopes, manifest: (await findManifest(trx, relation.agent_id, version)) ?? null, version, hash, mode };
}

function describeAnswer(
  pending: readonly string[],
  granted: readonly string[],
): EventPayload<'agent.capability_changed'>['answer'] {
  if (pending.length === 0) return 'changed';
  const accepted = pending.filter((scope) => granted.includes(scope)).length;
  return accepted === pending.length ? 'granted' : accepted === 0 ? 'refused' : 'partial';
}
