import { RequestError } from '../http/request-error.ts';

/** Where a page of a ranked list ended. */
export interface RankCursor {
  readonly rank: number;
  readonly stamp: string;
  readonly id: string;
}

export function writeRankCursor({ rank, updated_at, id }: { rank: number; updated_at: Date; id: string }): string {
  return Buffer.from(JSON.stringify([rank, updated_at.toISOString(), id])).toString('base64url');
}

export function readRankCursor(cursor: string): RankCursor {
  try {
    const [rank, stamp, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const readable = typeof rank === 'number' && typeof stamp === 'string' && typeof id === 'string';
    // Only years that Postgres reads as we write them are valid.
    if (readable && /^[1-9]\d{3}-/.test(new Date(stamp).toISOString()))
      return { rank, stamp: new Date(stamp).toISOString(), id };
  } catch {
    // It is not a cursor that we made.
  }
  throw new RequestError('BAD_REQUEST', {}, { details: { violations: [{ in: 'querystring', path: '/cursor' }] } });
}
