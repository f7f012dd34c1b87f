import { isId } from '@parley/base';
import { RequestError } from '../http/request-error.ts';

/** Where a page ended: what follows has a lower rank, or the same rank and an older id. */
export interface SearchCursor {
  readonly rank: number;
  readonly id: string;
}

export function writeCursor({ rank, id }: SearchCursor): string {
  return Buffer.from(`${rank} ${id}`).toString('base64url');
}

export function readCursor(cursor: string): SearchCursor {
  const [rank = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  const position = { rank: Number(rank), id };
  if (rank === '' || !Number.isFinite(position.rank) || !isId(id) || rest.length > 0) {
    throw new RequestError('BAD_REQUEST', {}, { details: { violations: [{ in: 'querystring', path: '/cursor' }] } });
  }
  return position;
}
