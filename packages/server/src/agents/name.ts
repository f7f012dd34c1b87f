import { displayText } from '@parley/documents';
import { RequestError } from '../http/request-error.ts';

const MAX_NAME = 64;

/** People tell agents apart by their names: a name has no hidden characters, and does not consist of spaces. */
export function checkName(name: string): void {
  if (displayText(name, MAX_NAME) === name) return;
  const violation = { in: 'body', path: '/name', keyword: 'printable' };
  throw new RequestError('BAD_REQUEST', {}, { details: { violations: [violation] } });
}
