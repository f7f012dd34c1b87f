import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as protocol from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { ROOT } from './files.mjs';
import { findStale, ROOMS_WITH_ERRORS } from './generate.mjs';
import { renderErrors } from './render-errors.mjs';

const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$|`/g, '')));

const local = new Map();
for (const room of ROOMS_WITH_ERRORS) {
  const { name } = JSON.parse(readFileSync(join(ROOT, room, 'package.json'), 'utf8'));
  local.set(name, (await import(join(ROOT, room, 'src/errors.ts'))).ERRORS);
}
const entries = [...local.values()].flatMap((table) => Object.entries(table));
const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('HS-4 every code of every package', () => {
  it('HS-4 has a verdict and a sentence in both languages', () => {
    for (const [code, { retry, text }] of entries) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z0-9]+)*$/);
      expect(retry, code).toBeTypeOf('boolean');
      expect(text.en, code).toMatch(/[.?}]$|: (?:\{(?:parley|roleos)\} )?[a-z][a-z -]+$/);
      expect(text['zh-CN'], code).toMatch(/\p{Script=Han}.*([。？}]|：(?:\{(?:parley|roleos)\} )?[a-z][a-z -]+)$/su);
    }
  });

  it('HS-6 has the same parameters in both languages', () => {
    for (const [code, { text }] of entries) expect(placeholders(text['zh-CN']), code).toEqual(placeholders(text.en));
  });

  it('HS-4 is defined once, in one table', () => {
    const codes = [...Object.keys(protocol.ERRORS), ...entries.map(([code]) => code)];
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });
});

it('HS-4 no package exports an error class beside ParleyError and what extends it', () => {
  const pages = readdirSync(join(ROOT, 'docs/api')).map((name) => readFileSync(join(ROOT, 'docs/api', name), 'utf8'));
  const classes = pages.flatMap((text) => [...text.matchAll(/^class (\w+).* extends \w*Error\b/gm)]);
  const plain = classes
    .filter(([line]) => / extends (Error|TypeError|RangeError)\b/.test(line))
    .map(([, name]) => name);
  expect(new Set(plain)).toEqual(new Set(['ParleyError']));
  expect(classes.length).toBeGreaterThan(plain.length);
});

describe('HS-4 docs/errors.md says what the tables say', () => {
  it('lists every code with its statuses, verdict and texts, and no other', () => {
    const { ERRORS, ERROR_CODES } = protocol;
    const codes = rows.filter(([first]) => first !== 'denied' && first !== 'error');
    expect(codes).toEqual([
      ...ERROR_CODES.map((code) => {
        const { http, retry, text } = ERRORS[code];
        return [code, http.join(', '), retry ? 'yes' : 'no', text.en, text['zh-CN']];
      }),
      ...entries.map(([code, { retry, text }]) => [
        code,
        retry ? 'yes' : 'no',
        ...[text.en, text['zh-CN']].map((sentence) => sentence.replaceAll('\n', ' ')),
      ]),
    ]);
  });

  it('lists every reason, and no other', () => {
    const named = (status) => rows.filter(([first]) => first === status).map(([, reason]) => reason);
    expect(named('denied')).toEqual(Object.keys(protocol.DENIED_REASONS));
    expect(named('error')).toEqual(Object.keys(protocol.ERROR_REASONS));
  });
});

describe('HS-5 generated files are fresh', () => {
  it('docs/errors.md is what the generator makes', () => {
    expect(page).toBe(renderErrors(protocol, local));
  });

  it('names a file that is stale or missing', () => {
    const fresh = new Map(Object.entries({ 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' }));
    const written = new Map(Object.entries({ 'a.md': 'a', 'b.md': 'old' }));
    expect(findStale(fresh, (path) => written.get(path))).toEqual(['b.md', 'c.md']);
  });
});
