import type { Texts } from './locale.ts';

/** What is known about an error code: `docs/errors.md` is generated from tables of these. */
export interface ErrorEntry {
  /** May the same operation succeed if it is repeated later, unchanged? */
  readonly retry: boolean;
  readonly text: Texts;
}
