import type { Json } from '../json.ts';

/** There are few names, so that two parts of a schema are often about the same property. */
export const NAMES = ['query', 'limit', 'path', 'mode', 'tags', 'user_id', 'x-trace', 'a', 'ab', '名'] as const;

/** Texts that some of the patterns below match and others do not. */
export const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'aB',
  'A1',
  '7',
  '42',
  '2024-02',
  'x-',
  'x-y',
  'user_id',
  'éa',
  '名',
  '𝄞',
  'a\nb',
];

/**
 * Some contain others: `^[a-z]+$` in `^[a-z0-9]+$` in `^\w+$`, `^ab` in `^a`, `^a?b$` in `b$`, `^\d{2}$` in `^\d+$`.
 */
export const PATTERNS = [
  '^[a-z]+$',
  '^[a-z0-9]+$',
  '^\\w+$',
  '^a',
  '^ab',
  'b$',
  '^a?b$',
  '^\\d+$',
  '^\\d{2}$',
  '^x-',
  '_id$',
  '^(a|b)*$',
  '^.{1,3}$',
  '.',
  '^$',
  '[^a]',
] as const;

/** Formats that both judges assert, each with texts that have it and texts that almost do. */
export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-02-29', '2023-01-31', '2023-13-01'],
  'date-time': ['2024-02-29T23:59:59Z', '2024-02-29'],
  email: ['a@b.example', 'joe@example.com', 'joe'],
  uuid: ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2eb8aa08'],
  ipv4: ['192.168.1.1', '256.1.1.1'],
  uri: ['https://example.com/a?b#c', 'urn:a:b', '/a/b'],
  'uri-reference': ['/a/b', '#a', 'https://example.com/', '\\'],
  'json-pointer': ['/a/0', '', 'a'],
};

export const NUMBERS = [-10, -1, 0, 1, 2, 3, 5, 7, 10, 100];
export const FRACTIONS = [-0.5, 0.5, 1.5, 2.25, 9.75];
/** These are exact in binary: with others the judges, which divide in floating point, are wrong. */
export const DIVISORS = [1, 2, 3, 4, 6, 10, 0.5, 0.25];
export const CONSTANTS: readonly Json[] = [
  'fast',
  'slow',
  'a',
  'ab',
  '',
  0,
  1,
  2,
  1.5,
  true,
  false,
  null,
  [],
  {},
  ['a'],
  { a: 1 },
];

export const TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'] as const;
