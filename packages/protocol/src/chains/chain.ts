import { canonicalise, hashCanonical, type JsonObject } from '@parley/documents';
import { SignedTime } from '../formats.ts';
import * as Type from '../schema/type.ts';
import { toUtf8 } from '../utf8.ts';

// What the three signed chains share: the grant ledger (RL-10), the device list (EE-18), the members of a group (EE-20).
// Devices, agents and the server read the same bytes, so that none of them has to believe another.

export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Where a statement stands in its chain. */
export const link = {
  seq: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The first has 1.' }),
  prev: Type.Union([Sha256, Type.Null()], { description: 'The hash of the one before; null in the first.' }),
  created_at: SignedTime,
};

/** How far a chain was read before. It may have grown since; anything else is an attack. */
export interface ChainMark {
  readonly length: number;
  readonly head: string | null;
}

/** The bytes that are signed: a domain, and the canonical form (RFC 8785) without what signs it. */
export function signedBytes(domain: string, statement: object): Uint8Array {
  const { signature: _, ...unsigned } = statement as JsonObject;
  return toUtf8(`${domain}\n${canonicalise(unsigned)}`);
}

/** What the next statement names as `prev`. It covers the signatures, too. */
export function chainHash(statement: object): string {
  return hashCanonical(statement as JsonObject);
}

/** By a device whose statements count, or counted before it was revoked (EE-18). */
export interface Signer {
  readonly key: string;
  /** For a revoked device: does its revocation name this chain at this point? What it signed beyond is void. */
  readonly named?: Named | undefined;
  /** The same of recoveries since then: the strictest holds. */
  readonly namedSince?: readonly Named[] | undefined;
}

export type Named = (length: number, head: string) => boolean;

export type Verify = (publicKey: string, bytes: Uint8Array, signature: string) => boolean;

export type ChainKind = 'ledger' | 'group';

/**
 * The name of a chain's head in a revocation (EE-18): the first 16 bytes of a hash. Whoever knows the chain can find
 * it; others learn nothing, not even that it exists.
 */
export function headName(salt: string, chain: { kind: ChainKind; id: string; length: number; head: string }): string {
  const { kind, id, length, head } = chain;
  return hashCanonical({ purpose: 'parley-chain-head-v1', salt, kind, id, length, head }).slice(0, 32);
}

interface Linked {
  readonly seq: number;
  readonly prev: string | null;
}

type Links = { ok: true; heads: readonly string[] } | { ok: false; problem: LinkProblem; seq: number };

/** The hash of each statement, or the first one that does not stand where it says. */
export function checkLinks(statements: readonly (Linked & object)[], seen?: ChainMark): Links {
  return finish(checkLinksInSteps(statements, seen));
}

/** The same for whoever has other things to do meanwhile. */
export function* checkLinksInSteps(statements: readonly (Linked & object)[], seen?: ChainMark): Generator<void, Links> {
  if (seen !== undefined && statements.length < seen.length) {
    return { ok: false, problem: 'shortened', seq: statements.length + 1 };
  }
  const heads: string[] = [];
  for (const [index, statement] of statements.entries()) {
    const seq = index + 1;
    if (statement.seq !== seq) return { ok: false, problem: 'seq', seq };
    if (statement.prev !== (heads[index - 1] ?? null)) return { ok: false, problem: 'prev', seq };
    const head = chainHash(statement);
    if (seen?.length === seq && seen.head !== head) return { ok: false, problem: 'rewritten', seq };
    heads.push(head);
    yield;
  }
  return { ok: true, heads };
}

/** Does all steps at once. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

export type LinkProblem =
  | 'seq'
  | 'prev'
  /** It has fewer statements than were seen before: those seen count. */
  | 'shortened'
  | 'rewritten';

/**
 * How far the statements of a signer count: all of them, or for a revoked one up to the last point that its revocation
 * names, and every recovery since.
 */
export function countsUntil(signer: Signer, heads: readonly string[]): number {
  return finish(findLimitInSteps(signer, heads)).until;
}

export interface Limit {
  readonly until: number;
  /** Whoever says so: unless it names a later head, the limit stays, however the chain goes on. */
  readonly by: Named | undefined;
}

/** The same for whoever has other things to do meanwhile. */
export function* findLimitInSteps(
  { named, namedSince = [] }: Signer,
  heads: readonly string[],
): Generator<void, Limit> {
  let limit: Limit = { until: Number.POSITIVE_INFINITY, by: undefined };
  if (named === undefined) return limit;
  for (const isNamed of [named, ...namedSince]) {
    let last = heads.length;
    while (last > 0 && !isNamed(last, heads[last - 1]!)) {
      last--;
      yield;
    }
    if (last < limit.until) limit = { until: last, by: isNamed };
    // Nothing is stricter.
    if (last === 0) break;
  }
  return limit;
}
