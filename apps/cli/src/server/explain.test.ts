import { serverError } from '@parley/server/errors';
import { expect, test } from 'vitest';
import { EXIT } from '../exit-code.ts';
import { wordsFor } from '../messages/index.ts';
import { explainBackup } from './explain.ts';

const explain = (error: unknown) => explainBackup(error, 'a.tar', wordsFor('en'));

test('HS-7 a backup of a server that another process holds, or whose Postgres is missing, is exit code 3', () => {
  const held = serverError('FOLDER_HELD', { params: { folder: '/data', pid: 7, host: 'here' } });
  expect(explain(held)).toMatchObject({ code: 'FOLDER_HELD', exit: EXIT.environment });
  const missing = serverError('POSTGRES_MISSING', { params: { platform: 'sunos-sparc' } });
  expect(explain(missing)).toMatchObject({ code: 'POSTGRES_MISSING', exit: EXIT.environment });
});

test('HS-7 what is wrong with a backup itself is exit code 1, and names the file', () => {
  const error = explain(serverError('BACKUP_UNREADABLE'));
  expect(error).toMatchObject({ code: 'BACKUP_UNREADABLE', exit: EXIT.bad });
  expect((error as Error).message).toContain('a.tar');
});
