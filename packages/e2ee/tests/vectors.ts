import { readFileSync } from 'node:fs';
import { type KnownAnswer, pathOf } from './known-answers.ts';

/** What is published under that name. */
export function readVectors<T>(name: KnownAnswer): T {
  return JSON.parse(readFileSync(new URL(`../../../vectors/${pathOf(name)}`, import.meta.url), 'utf8')) as T;
}

/** Statements by name, as the vectors of all chains have them. */
export type Published<S> = Readonly<Record<string, { statement: S; signed: string; hash: string }>>;

/** A pair of keys as it is published. */
export interface PublishedPair {
  readonly private_key: string;
  readonly public_key: string;
}
