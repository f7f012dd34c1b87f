import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Format, findFormat, subsumes } from './format.ts';

const label = (length: number) => 'a'.repeat(length);
/** 253 characters in four labels. */
/** RFC 5893, section 2, condition by condition. */
const BIDI = {
  valid: ['אב', 'אב1', 'א1ב', 'אב٣', 'אָ', 'abc.אב', 'a1.אב', 'א-ב', '1.a', '۰a', 'नमस्ते.אב'],
  invalid: [
    // 1: the first letter has a direction, in every label.
    '1א',
    '1.אב',
    '٣',
    'a.٣',
    // 2 and 5: all of a label goes one way.
    'אa',
    'aא',
    'a٣',
    // 3 and 6: it ends in a letter or a digit.
    'א\u02ec',
    'a\u02ec.אב',
    // 4: digits of one kind.
    'א1٣',
  ],
};

const LONGEST_HOST = [63, 63, 63, 61].map(label).join('.');

/** Texts on both sides of each boundary that the official suite does not draw. */
const CASES: Readonly<Record<string, { valid: readonly string[]; invalid: readonly string[] }>> = {
  'date-time': {
    valid: ['2000-02-29T00:00:00Z', '2024-12-31T15:59:60-08:00', '2024-01-01T00:00:00.0000000001+23:59'],
    invalid: [
      '1900-02-29T00:00:00Z',
      '2024-01-01 00:00:00Z',
      '2024-01-01T00:00:00',
      '2024-01-01T00:00:00.Z',
      '2024-12-31T23:59:60-08:00',
      '',
    ],
  },
  date: {
    valid: ['0000-02-29', '2024-02-29', '2023-04-30'],
    invalid: [
      '2023-02-29',
      '2100-02-29',
      '2023-04-31',
      '2023-00-01',
      '2023-13-01',
      '2023-01-00',
      '2023-1-1',
      '20230101',
      '2023-01-01\n',
      '٢٠٢٣-01-01',
    ],
  },
  time: {
    valid: ['00:00:00z', '23:59:60Z', '00:59:60+01:00', '12:00:00.5-00:00'],
    invalid: [
      '24:00:00Z',
      '00:60:00Z',
      '00:00:61Z',
      '12:00:60Z',
      '12:00:00+24:00',
      '12:00:00+00:60',
      '12:00:00+0000',
      '12:00Z',
      '12:00:00Z\n',
    ],
  },
  duration: {
    valid: ['P1Y2M3D', 'PT1H2M3S', 'P1M2DT3M', 'P0W', 'P00001Y'],
    invalid: [
      'P',
      'PT',
      'P1DT',
      'P1Y2D',
      'PT1H2S',
      'P1W1D',
      'P1WT1H',
      'P1.5D',
      'P-1D',
      '-P1D',
      'p1d',
      'P1D1D',
      'PT1HT1M',
      'P1H',
      'PD',
      'P1D ',
    ],
  },
  email: {
    valid: ["!#$%&'*+-/=?^_`{|}~@a", '""@a', '"\\""@a', '"a b"@a', 'a@[127.0.0.1]', 'a@[IPv6:2001:db8::1]'],
    invalid: [
      '@a',
      'a@',
      'a',
      'a@b@c',
      'a b@c',
      '.a@b',
      'a.@b',
      'a..b@c',
      '"@a',
      '"""@a',
      '"\\"@a',
      'a@[127.0.0.256]',
      'a@[::1]',
      'a@[IPv6:::1',
      'é@a',
      'a@é',
      'a@-b',
      '"é"@a',
    ],
  },
  'idn-email': {
    valid: ['é@é', '"é ü"@a', '用户@例子。公司'],
    invalid: ['é', 'é@', '@é', 'e\u0301@a', '"e\u0301"@a', '.é@a', 'é é@a', '\ud800@a', 'é@\u302e'],
  },
  hostname: {
    valid: [
      'a',
      'A-1.b',
      '1',
      'a--b',
      label(63),
      LONGEST_HOST,
      'XN--FIQS8S',
      'xn--fiqs8s',
      'a1.xn--4dbcagdahymbxekheh6e0a7fei0b',
    ],
    invalid: [
      '1a.xn--4dbcagdahymbxekheh6e0a7fei0b',
      '',
      '.',
      'a.',
      '.a',
      'a..b',
      '-a',
      'a-',
      'a_b',
      'a b',
      'é',
      label(64),
      `${LONGEST_HOST}a`,
      'xn--',
      'xn--a',
      'xn--X',
      'xn--fiqs8s-',
      'xn--abc-',
      'xn--99999999',
    ],
  },
  'idn-hostname': {
    valid: ['é', '例子.公司', 'xn--fiqs8s.é', 'a。b．c｡d', 'نام\u200cه', 'क\u094d\u200dष', 'l·l', 'A.é', ...BIDI.valid],
    invalid: [
      ...BIDI.invalid,
      'É',
      '',
      '。',
      'é.',
      'e\u0301',
      '\u0301a',
      '-é',
      'é-',
      'éa--b',
      'ab--é',
      'a\u200db',
      'ا\u200cا',
      'l·',
      '\u1100\u1161',
      '①',
      '😀',
      '\ud800',
      'ü'.repeat(60),
      '٠۰',
      'ａ',
      '・',
    ],
  },
  ipv4: {
    valid: ['0.0.0.0', '255.255.255.255', '1.20.255.3'],
    invalid: [
      '256.0.0.0',
      '01.0.0.0',
      '1.1.1',
      '1.1.1.1.1',
      '1.1.1.',
      '1.1.1.1 ',
      '1.1.1.-1',
      '0x1.1.1.1',
      '',
      '1.1.1.1e1',
    ],
  },
  ipv6: {
    valid: [
      '::',
      '::1',
      '1::',
      '1:2:3:4:5:6:7:8',
      '1::3:4:5:6:7:8',
      '::FFFF:1.2.3.4',
      '1:2:3:4:5:6:1.2.3.4',
      '64:ff9b::1.2.3.4',
    ],
    invalid: [
      '',
      ':',
      ':::',
      '1',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7::8',
      '1::2::3',
      ':1:2:3:4:5:6:7:8',
      '12345::',
      'g::',
      'fe80::1%eth0',
      '[::1]',
      '1.2.3.4::',
      '::1.2.3',
      '::1.2.3.4:5',
      '1:2:3:4:5:6:7:1.2.3.4',
      '::1 ',
    ],
  },
  uri: {
    valid: [
      'a:',
      'a:b',
      'A+-.1:/b',
      'a://',
      'a://[v1.x:y]',
      'a://h:',
      'a://h:80',
      'a://u:p@h',
      'a:/b//c',
      "a:?q='#f/?",
    ],
    invalid: [
      '',
      ':',
      '1a:',
      'a',
      '/a',
      '//a',
      'a b:',
      'a: ',
      'a:%',
      'a:%4',
      'a:%4g',
      'a:#b#c',
      'a:[',
      'a://[::1',
      'a://::1',
      'a://h:x',
      'a://[::1]x',
      'a://[1.2.3.4]',
      'a://a@b@c',
      'a:é',
      'a:\\b',
      'a:"',
      'a:<',
      'a:{}',
      'a:^',
      'a:|',
      'a:\n',
    ],
  },
  'uri-reference': {
    valid: ['', 'a', './a:b', '?', '#', '//', '/a:b', '?a:b', '//h:1/p'],
    invalid: ['1:a', ':a', 'é', ' ', '%', '//h:p', '//[', 'a^', '\\'],
  },
  iri: {
    valid: ['a:é', 'a://é/é?\ue000#é', 'a:\u{10000}'],
    invalid: ['é', 'é:', 'a:\ue000', 'a:?#\ue000', 'a:\ud800', 'a:\u{1fffe}', 'a: ', 'a:\ufdd0'],
  },
  'iri-reference': { valid: ['', 'é', '/é', '//é', '#é'], invalid: ['é:', ' ', '\\', '\ud800', '%é'] },
  uuid: {
    valid: ['FFFFFFFF-ffff-0000-9999-AbCdEf012345'],
    invalid: [
      '',
      '0000000000000000000000000000000000000',
      '00000000-0000-0000-0000-00000000000',
      '00000000-0000-0000-0000-0000000000000',
      '{00000000-0000-0000-0000-000000000000}',
      '00000000_0000-0000-0000-000000000000',
      'g0000000-0000-0000-0000-000000000000',
    ],
  },
  'uri-template': {
    valid: ['{a}', "'{a}'", '{+a,b*,c:9999}', '{#a.b}', '{%41}', 'é{a}', '{?q}{&r}', '{|a}'],
    invalid: [
      '{',
      '}',
      '{}',
      '{a',
      'a}',
      '{a}}',
      '{{a}}',
      '{a b}',
      '{a,}',
      '{a:0}',
      '{a:10000}',
      '{a:}',
      '{a**}',
      '{.a.}',
      '{a..b}',
      '{-a}',
      '%',
      '{%}',
      ' ',
      '"',
      '<',
      '\\',
      '^',
      '`',
      '|',
    ],
  },
  'json-pointer': { valid: ['', '/', '//', '/~0~1', '/é'], invalid: ['a', '#', '/~', '/~2', '/a~', '#/a'] },
  'relative-json-pointer': {
    valid: ['0', '10/a', '1#', '0+1', '0-1#', '2+10/a'],
    invalid: ['', '01', '-1', '+1', '1a', '1##', '1#/a', '0+0', '0+', '/a', '1/~'],
  },
  regex: { valid: ['', 'a', '^[\\p{L}]+$', '(?:a|b)*'], invalid: ['(', '[', 'a**', '(?=a)', '(?<!a)', '(a)\\1', '\\'] },
};

const format = (name: string): Format => findFormat(name)!;

describe.for(Object.entries(CASES))('CM-6 format %s', ([name, { valid, invalid }]) => {
  test('CM-6 accepts what the standard allows', () => {
    expect([...valid, ...format(name).samples].filter((text) => !format(name).test(text))).toEqual([]);
  });

  test('CM-6 refuses what it does not', () => {
    expect(invalid.filter((text) => format(name).test(text))).toEqual([]);
  });

  test('CM-6 has samples of several lengths and a price', () => {
    expect(new Set(format(name).samples.map((text) => text.length)).size).toBeGreaterThan(
      name === 'date' || name === 'uuid' ? 0 : 1,
    );
    expect(format(name).name).toBe(name);
    expect(format(name).steps(1_000_000)).toBeGreaterThan(format(name).steps(10));
  });
});

test('CM-6 every standard format is known, and no other', () => {
  expect(Object.keys(CASES)).toHaveLength(19);
  expect(['phone', 'color', '', 'toString', '__proto__', 'DATE'].filter((name) => findFormat(name))).toEqual([]);
});

describe('CM-6 a format that subsumes another', () => {
  const all = Object.keys(CASES).map(format);
  const pairs = all.flatMap((wide) => all.map((narrow) => [wide, narrow] as const));
  const held = pairs.filter(([wide, narrow]) => wide !== narrow && subsumes(wide, narrow));

  /** Texts near those of a format: its own and its cases with a few characters put in, out or twice. */
  const near = ({ name, samples }: Format) => {
    const letters = fc.constantFrom(
      ...'aZ09-._~:/?#[]@!$&\'()*+,;=%{}\\"^` é中\u3002\u200c\u00b7',
      '%41',
      'xn--',
      '::',
      '//',
      '..',
      '@a',
      '1.2',
    );
    const edits = fc.array(fc.tuple(fc.nat(60), fc.nat(2), letters), { maxLength: 4 });
    return fc
      .tuple(fc.constantFrom(...samples, ...CASES[name]!.valid), edits)
      .map(([text, changes]) =>
        changes.reduce((now, [at, drop, letter]) => now.slice(0, at) + letter + now.slice(at + drop), text),
      );
  };

  test.for(held.map(([wide, narrow]) => [wide.name, narrow.name] as const))(
    'CM-6 %s takes every %s',
    ([wide, narrow]) => {
      const digits = fc.tuple(...[0, 1, 2, 3].map(() => fc.nat(255))).map((parts) => parts.join('.'));
      const texts = narrow === 'ipv4' ? fc.oneof(digits, near(format(narrow))) : near(format(narrow));
      fc.assert(
        fc.property(texts, (text) => !format(narrow).test(text) || format(wide).test(text)),
        { seed: 20, numRuns: 3000 },
      );
    },
  );

  test('CM-6 the relation is the one we claim, and transitive', () => {
    expect(held.map(([wide, narrow]) => `${wide.name} ⊃ ${narrow.name}`).sort()).toEqual([
      'hostname ⊃ ipv4',
      'idn-email ⊃ email',
      'idn-hostname ⊃ hostname',
      'idn-hostname ⊃ ipv4',
      'iri ⊃ uri',
      'iri-reference ⊃ iri',
      'iri-reference ⊃ uri',
      'iri-reference ⊃ uri-reference',
      'uri-reference ⊃ uri',
    ]);
    for (const [a, b] of held) {
      for (const [c, d] of held) if (b === c) expect(subsumes(a, d)).toBe(true);
    }
    expect(all.every((each) => subsumes(each, each))).toBe(true);
  });
});
