import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as protocol from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { ROOT } from './files.mjs';
import { findStale } from './generate.mjs';
import { renderErrors } from './render-errors.mjs';

const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$|`/g, '')));

describe('HS-4 docs/errors.md says what the registry says', () => {
  it('lists every code with its statuses, verdict and texts, and no other', () => {
    const { ERRORS, ERROR_CODES } = protocol;
    const codes = rows.filter(([first]) => first !== 'denied' && first !== 'error');
    expect(codes).toEqual(
      ERROR_CODES.map((code) => {
        const { http, retry, text } = ERRORS[code];
        return [code, http.join(', '), retry ? 'yes' : 'no', text.en, text['zh-CN']];
      }),
    );
  });

  it('lists every reason, and no other', () => {
    const named = (status) => rows.filter(([first]) => first === status).map(([, reason]) => reason);
    expect(named('denied')).toEqual(Object.keys(protocol.DENIED_REASONS));
    expect(named('error')).toEqual(Object.keys(protocol.ERROR_REASONS));
  });
});

describe('HS-5 generated files are fresh', () => {
  it('docs/errors.md is what the generator makes', () => {
    expect(page).toBe(renderErrors(protocol));
  });

  it('names a file that is stale or missing', () => {
    const fresh = new Map(Object.entries({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' }));
    const written = new Map(Object.entries({ 'a.md': 'a', 'b.md': 'old' }));
    expect(findStale(fresh, (path) => written.get(path))).toEqual(['b.md', 'c.md']);
  });
});
