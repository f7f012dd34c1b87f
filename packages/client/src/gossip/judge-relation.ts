import { isShown } from '@parley/messenger';
import type { OtherDevice } from '../account/other-device.ts';
import type { RelationGossip } from '../agents/relation-gossip.ts';
import { EVERYTHING, type RelationState } from '../agents/relation-state.ts';
import { confirmsRevocation, confirmsTaking, findLastTaken, isLedgerShown, isManifestShown } from './compare-heads.ts';
import type { HeardHeads } from './heard-heads.ts';

type Judged = Pick<RelationState, 'wire' | 'chain' | 'announced' | 'blocked'>;

/** EE-23: compares what the account's other devices say about a relation with what the server shows here. */
export function judgeRelation(heard: HeardHeads, accountId: string, state: Judged): RelationGossip {
  return { withheldBy: findWithheld(heard, accountId, state), unconfirmed: findUnconfirmed(heard, state) };
}

function findWithheld(heard: HeardHeads, accountId: string, { wire, chain, announced }: Judged) {
  if (wire.status === 'ended') return undefined;
  const claims = [
    // Every grant hangs on who may sign one.
    ...heard.about({ kind: 'devices', id: accountId }),
    ...heard.about({ kind: 'ledger', id: wire.relation_id }),
    ...(wire.status === 'active' ? heard.about({ kind: 'manifest', id: wire.agent_id }) : []),
  ];
  const unshown = claims.find(({ head }) => {
    if (head.kind === 'devices') return !isShown(head, heard.list());
    return head.kind === 'manifest' ? !isManifestShown(head, announced) : !isLedgerShown(head, chain.entries);
  });
  return unshown?.by;
}

function findUnconfirmed(heard: HeardHeads, { wire, chain, blocked }: Judged): readonly OtherDevice[] {
  const others = heard.others();
  const { entries, granted } = chain;
  // Taken back here, and the server has not been told: nobody else can know.
  const isPending = [...blocked].some((id) => (id === EVERYTHING ? granted.size > 0 : granted.has(id)));
  if (isPending) return others;
  const taken = findLastTaken(entries);
  if (taken === 0) return [];
  const since = new Set(entries.slice(taken - 1).map(({ device_id }) => device_id));
  const subject = { kind: 'ledger' as const, id: wire.relation_id };
  return others.filter(
    ({ deviceId }) => !since.has(deviceId) && !confirmsTaking(heard.of(deviceId, subject), taken, entries),
  );
}

/** Who has not said yet that it knows of the newest revocation of a device. */
export function findUnawareOfRevocation(heard: HeardHeads, accountId: string): readonly OtherDevice[] {
  const statements = heard.list()?.statements ?? [];
  const subject = { kind: 'devices' as const, id: accountId };
  return heard.others().filter(({ deviceId }) => !confirmsRevocation(heard.of(deviceId, subject), statements));
}
