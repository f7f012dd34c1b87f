import { setTimeout as sleep } from 'node:timers/promises';
import { createFairScheduler, createLru } from '@parley/base';
import {
  continueGroup,
  type GroupAuthor,
  type GroupProblem,
  type GroupState,
  type GroupStatement,
  listedSigner,
  readGroupInSteps,
  type Signer,
} from '@parley/protocol';
import { findListEnds, readDeviceList } from '../keys/device-list.ts';
import type { Db, Trx } from '../storage/database.ts';
import { findGroupEnd, listGroupStatements } from './group-statements.ts';

// What a chain says is known by its head, so that a statement costs what it says and not what ten thousand before it say, and a
// conversation is not locked while they are read.

/** A chain that was read by these device lists: if one of them has changed since, it has to be read again (EE-18). */
export interface KnownGroup {
  readonly state: GroupState | GroupProblem;
  /** The end of the list of everyone who has signed. */
  readonly lists: ReadonlyMap<string, string>;
}

const MAX_KNOWN = 64;
const PAGE = 100;
/** Everyone else has as long a turn as whoever reads a chain. */
const SLICE_MS = 5;
const NO_LIMIT = { count: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };

/** By head: it names the conversation and everything before it, so the servers of a process may share it. */
const known = createLru<string, KnownGroup>(MAX_KNOWN);
/** The rates of the routes limit what waits. */
const reading = createFairScheduler({
  concurrency: 1,
  concurrencyOfOne: 1,
  max: NO_LIMIT,
  maxOfOne: NO_LIMIT,
  refuse: (reason) => new Error(reason),
});

/**
 * Finds what a chain says after the next statement, whose author is a listed device and has signed it. Undefined if it is not the
 * next one.
 */
export async function readAfter(db: Db, statement: GroupStatement): Promise<KnownGroup | undefined> {
  const { conversation_id: conversationId, by, seq, prev } = statement;
  const end = await findGroupEnd(db, conversationId);
  if (seq !== end.length + 1 || prev !== end.head) return undefined;
  if (end.head === null) return readChain(db, conversationId, { upTo: 0, next: statement });
  const inTurn = (next?: GroupStatement) =>
    reading.run(by.id, async () => {
      const there = next === undefined ? await findCurrent(db, end.head!) : undefined;
      return there ?? readChain(db, conversationId, { upTo: end.length, next });
    });
  const before = (await findCurrent(db, end.head)) ?? (await inTurn());
  known.set(end.head, before);
  if (typeof before.state === 'string') return before;
  const own = await findListEnds(db, [by.id]);
  // Members who come later find an author's keys in no other place.
  const state = own.has(by.id) ? continueGroup(before.state, statement) : 'author';
  if (state === undefined) return inTurn(statement);
  // Those by which the chain was read stay: if one is another by now, it has to be read again.
  return { lists: new Map([...own, ...before.lists]), state };
}

/** Remembers what was stored. */
export function rememberGroup(after: KnownGroup): void {
  if (typeof after.state !== 'string') known.set(after.state.head, after);
}

/** Are the device lists still those by which the chain was read? */
export async function isCurrent(db: Db | Trx, { lists }: Pick<KnownGroup, 'lists'>): Promise<boolean> {
  const ends = await findListEnds(db, [...lists.keys()]);
  return [...lists].every(([id, head]) => ends.get(id) === head);
}

async function findCurrent(db: Db, head: string): Promise<KnownGroup | undefined> {
  const there = known.get(head);
  return there !== undefined && (await isCurrent(db, there)) ? there : undefined;
}

interface Chain {
  readonly upTo: number;
  /** Not stored yet. */
  readonly next: GroupStatement | undefined;
}

async function readChain(db: Db, conversationId: string, { upTo, next }: Chain): Promise<KnownGroup> {
  const statements: GroupStatement[] = [];
  while (statements.length < upTo) {
    const limit = Math.min(PAGE, upTo - statements.length);
    statements.push(...(await listGroupStatements(db, conversationId, { after: statements.length, limit })));
  }
  if (next !== undefined) statements.push(next);
  const authors = new Map(statements.map(({ by }) => [nameOf(by), by]));
  const lists = new Map<string, string>();
  const signers = new Map<string, Signer | undefined>();
  for (const id of new Set([...authors.values()].map((by) => by.id))) {
    const list = await readDeviceList(db, id);
    if (list === undefined) continue;
    lists.set(id, list.head);
    for (const [name, by] of authors) {
      if (by.id === id) signers.set(name, listedSigner(list, by.device_id, { kind: 'group', id: conversationId }));
    }
  }
  const steps = readGroupInSteps(statements, {
    conversationId,
    signerOf: (by) => signers.get(nameOf(by)),
    // Each was verified when it was stored, and the next one before this was asked for.
    verify: () => true,
  });
  const read = await finishInSlices(steps);
  return { state: read.ok ? read.state : read.problem, lists };
}

const nameOf = (by: GroupAuthor) => `${by.id} ${by.device_id}`;

async function finishInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    for (const start = performance.now(); performance.now() - start < SLICE_MS; ) {
      const { done, value } = steps.next();
      if (done === true) return value;
    }
    await sleep(SLICE_MS);
  }
}
