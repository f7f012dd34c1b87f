import { isId } from '@parley/base';
import { RequestError } from '../http/request-error.ts';

/** Where a page ended: what follows has a lower rank, or the same rank and an older id. */
export interface Place {
  readonly rank: number;
  readonly id: string;
}

export function writeCursor({ rank, id }: Place): string {
  return Buffer.from(`${rank} ${id}`).toString('base64url');
}

export function readCursor(cursor: string): Place {
  const [rank = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  const place = { rank: Number(rank), id };
  if (rank === '' || !Number.isFinite(place.rank) || !isId(id) || rest.length > 0) {
    throw new RequestError('BAD_REQUEST', {}, { details: { violations: [{ in: 'querystring', path: '/cursor' }] } });
  }
  return place;
}
