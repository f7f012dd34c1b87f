import { isIpv4, isIpv6 } from './format/address.ts';
import { isDate, isDateTime, isDuration, isTime } from './format/date.ts';
import { isEmail, isIdnEmail } from './format/email.ts';
import { isHostname, isIdnHostname, MAX_LENGTH } from './format/hostname.ts';
import { isJsonPointer, isRelativeJsonPointer } from './format/pointer.ts';
import { isIri, isIriReference, isUri, isUriReference } from './format/uri.ts';
import { isUriTemplate } from './format/uri-template.ts';
import { compilePattern } from './pattern.ts';

/** A format of draft 2020-12, which is asserted (CM-6). */
export interface Format {
  readonly name: string;
  /** Some texts of this format, of different shapes and lengths. */
  readonly samples: readonly string[];
  test(text: string): boolean;
  /** The cost of testing a text of this length (CM-7). */
  steps(length: number): number;
}

const scanSteps = (length: number) => 1 + (length >> 2);
const hostSteps = (length: number) => 1 + 6 * Math.min(length, 2 * MAX_LENGTH);
const mailSteps = (length: number) => scanSteps(length) + hostSteps(length);
/** A template may consist of expressions only, and each is checked separately. */
const templateSteps = (length: number) => 1 + 2 * length;
/** The test compiles the pattern: the longest one allowed takes 15 ms. */
const patternSteps = (length: number) => 20_000 + 150 * length;

type Entry = readonly [test: (text: string) => boolean, samples: readonly string[], steps?: Format['steps']];

const ENTRIES: Readonly<Record<string, Entry>> = {
  'date-time': [isDateTime, ['2024-02-29T23:59:60Z', '1985-04-12t23:20:50.52-08:00', '0001-01-01T00:00:00.123456z']],
  date: [isDate, ['2024-02-29', '1900-01-01', '9999-12-31']],
  time: [isTime, ['08:30:06Z', '23:59:59.123456789+14:00', '00:00:00-00:00']],
  duration: [isDuration, ['P2W', 'PT36H', 'P4DT12H30M5S', 'P1Y2M3DT4H5M6S']],
  email: [isEmail, ['a@b', 'joe.bloggs+tag@mail.example.com', '"joe bloggs"@example.com', 'joe@[IPv6:::1]'], mailSteps],
  'idn-email': [isIdnEmail, ['a@b', '실례@실례.테스트', '用户.名@例子.公司'], mailSteps],
  hostname: [isHostname, ['a', 'www.example.com', 'xn--fiqs8s.example', '1-2.3'], hostSteps],
  'idn-hostname': [isIdnHostname, ['a', '例子.公司', 'l·l.example', '실례。테스트'], hostSteps],
  ipv4: [isIpv4, ['0.0.0.0', '192.168.1.1', '255.255.255.255']],
  ipv6: [isIpv6, ['::', '2001:db8::7', '::ffff:192.168.1.1', '2001:0db8:85a3:0000:0000:8a2e:0370:7334']],
  uri: [
    isUri,
    [
      'https://example.com/',
      'a:',
      'https://u@example.com:8080/a%20b?c=d#e',
      'urn:isbn:0451450523',
      'ldap://[2001:db8::7]/c=GB',
    ],
  ],
  'uri-reference': [isUriReference, ['', '#a', '/a/b?c', '//example.com', '../a;b', 'https://example.com/']],
  iri: [isIri, ['https://example.com/', 'a:', 'https://例子.公司/路径?查询=值#片段', 'urn:é']],
  'iri-reference': [isIriReference, ['', '#é', '/路径', '//例子.公司/', 'https://example.com/']],
  uuid: [isUuid, ['00000000-0000-0000-0000-000000000000', '2EB8AA08-aa98-11ea-b4aa-73b441d16380']],
  'uri-template': [
    isUriTemplate,
    ['', 'https://example.com/{a:3}/{b*}{?c,d.e}', '{+path}/here', '/plain'],
    templateSteps,
  ],
  'json-pointer': [isJsonPointer, ['', '/', '/a~1b/0/~0', '/深/度']],
  'relative-json-pointer': [isRelativeJsonPointer, ['0', '1/a', '2+1#', '0#', '10-3/a~1b']],
  regex: [isRegex, ['', '^[a-z]+$', '(a|b){2,3}\\d'], patternSteps],
};

const FORMATS: ReadonlyMap<string, Format> = new Map(
  Object.entries(ENTRIES).map(([name, [test, samples, steps = scanSteps]]) => [name, { name, samples, test, steps }]),
);

/** Returns undefined for a name that the standard does not define: then `format` is only an annotation. */
export function findFormat(name: string): Format | undefined {
  return FORMATS.get(name);
}

function isUuid(text: string): boolean {
  return /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/.test(text);
}

/** Tests for the dialect of our `pattern`: RE2, not ECMA-262 (CM-7). */
function isRegex(text: string): boolean {
  return compilePattern(text) !== undefined;
}

/** Formats whose every text also has the format in the key. */
const NARROWER: Readonly<Record<string, readonly string[]>> = {
  'uri-reference': ['uri'],
  iri: ['uri'],
  'iri-reference': ['uri', 'uri-reference', 'iri'],
  'idn-email': ['email'],
  hostname: ['ipv4'],
  'idn-hostname': ['hostname', 'ipv4'],
};

/** Does every text of format `b` also have format `a`? */
export function subsumes(a: Format, b: Format): boolean {
  return a.name === b.name || (NARROWER[a.name]?.includes(b.name) ?? false);
}
