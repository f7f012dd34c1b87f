import { RequestError } from '../http/request-error.ts';

/** `If-Match` (RFC 9110, section 13.1.1): the hashes that the manifest may have, or `*` for any. */
export type Precondition = '*' | readonly string[];

const TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;

export function readPrecondition(header: string | undefined): Precondition | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = header.split(',').map((part) => TAG.exec(part.trim()));
  if (tags.includes(null)) {
    throw new RequestError('BAD_REQUEST', {}, { details: { violations: [{ in: 'headers', path: '/if-match' }] } });
  }
  // A weak tag matches nothing here: two texts with the same weak tag may differ.
  return tags.flatMap((tag) => (tag![1] === undefined ? [tag![2]!] : []));
}

/** Throws if the current manifest is not one of those that the caller expects (RL-4). */
export function checkPrecondition(precondition: Precondition | undefined, hash: string | null): void {
  if (precondition === undefined || precondition === '*') return;
  if (hash === null || !precondition.includes(hash)) throw new RequestError('PRECONDITION_FAILED');
}
