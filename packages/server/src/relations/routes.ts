import {
  appendLedger,
  changeRelation,
  endRelation,
  establishRelation,
  listRelations,
  readLedger,
  readRelation,
} from '@parley/protocol';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { type Caller, requireHuman } from '../http/caller.ts';
import { takePage } from '../http/page.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { change, sign } from './change.ts';
import { end } from './end.ts';
import { establish } from './establish.ts';
import { type AfterCommit, relationEventBytes } from './notify.ts';
import {
  findRelation,
  findSignedScopes,
  isWithin,
  type LockedRelation,
  listEntries,
  listRelationsOf,
  lockRelation,
  type Relation,
  type RelationView,
} from './store.ts';
import { toEstablished, toRelation } from './wire.ts';

const PAGE = 50;
const ENTRIES = 100;

export function registerRelations(router: Router, platform: Platform): void {
  const { db } = platform;

  /** Runs `write` on the locked relation, for its person only, and returns the relation as it is then. */
  const rewrite = async (
    caller: Caller,
    id: string,
    write: (trx: Trx, locked: LockedRelation) => Promise<AfterCommit>,
  ): Promise<RelationView> => {
    const { view, wake } = await db.transaction().execute(async (trx) => {
      const locked = await lockRelation(trx, id);
      requireWriter(caller, locked?.relation);
      const wake = await write(trx, locked!);
      return { wake, view: (await findRelation(trx, id))! };
    });
    wake();
    return view;
  };

  /** Taking something back needs no room (OP-2). */
  const reserveUnlessLess = async (
    accountId: string,
    before: readonly string[],
    after: readonly string[],
    stored: object,
  ): Promise<void> => {
    if (after.length < before.length && isWithin(after, before)) return;
    const size = JSON.stringify(stored).length;
    await platform.budgets.reserveBytes(accountId, ROW_BYTES.statement + size + relationEventBytes(size));
  };

  router.add(establishRelation, async ({ caller, body }) =>
    toEstablished(await establish(platform, requireHuman(caller).accountId, body)),
  );
  router.add(listRelations, async ({ caller, query }) => {
    const limit = Number(query.limit ?? PAGE);
    const page = { limit: limit + 1, ...(query.cursor === undefined ? {} : { before: query.cursor }) };
    const { rows, last } = takePage(await listRelationsOf(db, requireHuman(caller).accountId, page), limit);
    return { relations: rows.map(toRelation), next_cursor: last?.id ?? null };
  });
  router.add(readRelation, async ({ caller, params }) => {
    const relation = await findRelation(db, params.relation_id);
    requireReader(caller, relation);
    return toRelation(relation);
  });
  router.add(changeRelation, async ({ caller, params, body }) => {
    const before = await findRelation(db, params.relation_id);
    requireWriter(caller, before);
    await reserveUnlessLess(before.account_id, before.granted_scopes, body.granted_scopes, body);
    return toRelation(await rewrite(caller, params.relation_id, (trx, locked) => change(platform, trx, locked, body)));
  });
  router.add(endRelation, async ({ caller, params, body }) => {
    await rewrite(caller, params.relation_id, (trx, locked) => end(platform, trx, locked, body?.ledger_entry));
    return null;
  });
  router.add(readLedger, async ({ caller, params, query }) => {
    const relation = await findRelation(db, params.relation_id);
    requireReader(caller, relation);
    const entries = await listEntries(db, relation.id, { after: Number(query.after ?? 0), limit: ENTRIES });
    return { entries, length: relation.ledger_length, head: relation.ledger_head };
  });
  router.add(appendLedger, async ({ caller, params, body: { ledger_entry: entry } }) => {
    const relation = await findRelation(db, params.relation_id);
    requireWriter(caller, relation);
    // A relation that has ended is signed off once.
    if (relation.status !== 'ended') {
      const signed = await findSignedScopes(db, relation);
      const scopes = entry.scopes.map(({ id }) => id);
      await reserveUnlessLess(relation.account_id, signed, scopes, entry);
    }
    return toRelation(await rewrite(caller, params.relation_id, (trx, locked) => sign(platform, trx, locked, entry)));
  });
}

/** Throws NOT_FOUND for everyone but its person and its agent. */
function requireReader<R extends Relation>(caller: Caller, relation: R | undefined): asserts relation is R {
  const isPerson = caller.kind === 'human' && caller.accountId === relation?.account_id;
  const isAgent = caller.kind === 'agent' && caller.agentId === relation?.agent_id;
  if (!isPerson && !isAgent) throw new RequestError('NOT_FOUND');
}

function requireWriter<R extends Relation>(caller: Caller, relation: R | undefined): asserts relation is R {
  requireReader(caller, relation);
  if (caller.kind === 'agent') throw new RequestError('FORBIDDEN');
}
