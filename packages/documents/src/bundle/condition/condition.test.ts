import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../json/value.ts';
import { ASSERTION_VARIABLES, checkCondition, EDGE_VARIABLES } from './check.ts';
import { evaluateCondition } from './evaluate.ts';

const check = (source: string) => checkCondition(source, EDGE_VARIABLES)?.reason;
const value = (source: string, output: Json = {}) => evaluateCondition(source, { output, task: {}, state: {} });
const reason = (source: string, output?: Json) => {
  const result = value(source, output);
  return result.ok ? result.value : result.reason;
};

describe('BN-6 a condition', () => {
  it.each([
    ['output.score > 0.8', { score: 0.9 }, true],
    ['output.score > 1', { score: 1 }, false],
    ['output.kind == "draft" && size(output.notes) >= 2', { kind: 'draft', notes: ['a', 'b'] }, true],
    ['has(output.error)', {}, false],
    ['output.items.exists(i, i.risk == "high")', { items: [{ risk: 'low' }, { risk: 'high' }] }, true],
    ['output.items.map(i, i.n).filter(n, n > 1.0).size() == 2', { items: [{ n: 1 }, { n: 2 }, { n: 3 }] }, true],
    ['"b" in ["a", "b"] && "k" in output', { k: 1 }, true],
    ['output.text.matches("^[a-c]+$")', { text: 'abcabc' }, true],
    ['output.a == output.b', { a: [{ x: [1] }], b: [{ x: [1] }] }, true],
    ['!(5 in output) && "k" in output', { k: 1 }, true],
    ['output["constructor"] == 1', { constructor: 1 }, true],
    ['output["$typeName"] == "google.protobuf.Any"', { $typeName: 'google.protobuf.Any' }, true],
  ] as const)('%s is evaluated', (source, output, expected) => {
    expect(check(source)).toBeUndefined();
    expect(value(source, output as Json)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['output.score >', 'syntax'],
    ['', 'syntax'],
    ['数据完整', 'syntax'],
    ['secret.key == "a"', 'unknown_name'],
    ['bundle.id == "a"', 'unknown_name'],
    ['output.items.all(i, j)', 'unknown_name'],
    ['launch(output)', 'unknown_function'],
    ['output.items.sortBy(x, x)', 'unknown_function'],
    ['google.protobuf.Struct{fields: {}} == output', 'unsupported'],
    ['1 + 1', 'not_boolean'],
    ['"yes"', 'not_boolean'],
    ['[true]', 'not_boolean'],
  ])('%s is refused as %s', (source, expected) => {
    expect(check(source)).toBe(expected);
  });

  it('BN-11 is bounded in length and nesting', () => {
    expect(check(`output.a == "${'a'.repeat(2_000)}"`)).toBe('too_long');
    expect([undefined, 'syntax']).toContain(check(`${'('.repeat(990)}true${')'.repeat(990)}`));
  });

  it('BN-11 that fails has no value, and is never taken for false', () => {
    expect(reason('output.missing.field')).toBe('failed');
    expect(reason('output.a > "x"', { a: 1 })).toBe('failed');
    expect(reason('output.a', { a: 'text' })).toBe('not_boolean');
    expect(reason('nothing.here')).toBe('invalid');
    expect(reason('output.text.matches("(?=a)")', { text: 'a' })).toBe('failed');
  });

  it('speaks of other things in an assertion', () => {
    expect(checkCondition('bundle.roles.size() > 0 && has(plan.files)', ASSERTION_VARIABLES)).toBeUndefined();
    expect(checkCondition('output.a', ASSERTION_VARIABLES)?.reason).toBe('unknown_name');
  });
});

describe('BN-11 CEL bombs end after a bounded number of steps', () => {
  const list = Array.from({ length: 40_000 }, (_, index) => index);
  const large = Object.fromEntries(list.map((index) => [`k${index}`, index]));
  const doubling = (step: string) => `[output.s]${`.map(x, ${step})`.repeat(60)}`;

  it.each([
    ['nested loops', 'output.l.all(a, output.l.all(b, output.l.all(c, a + b + c >= 0.0)))'],
    ['loops that stop at their first turn', 'output.l.all(a, output.l.exists(b, true))'],
    ['loops of errors', 'output.l.all(a, output.l.all(b, output.none))'],
    ['loops of errors, forgiven', 'output.l.all(a, output.l.all(b, output.none)) || true'],
    ['a text doubled again and again', `${doubling('x + x')}.all(x, size(x) > 0)`],
    ['a list doubled again and again', `${doubling('x + x')}.all(x, size(x) > 0)`.replace('output.s', 'output.l')],
    ['a value that shares its parts, compared', `${doubling('[x, x]')} == ${doubling('[x, x]')}`],
    ['a list grown element by element', 'output.l.map(x, x).map(x, x).size() > 0'],
    ['membership in a loop', 'output.l.all(x, x in output.l || true)'],
    ['size of a long text in a loop', 'output.l.all(x, size(output.t) > 0)'],
    ['a number looked up in a large object', 'output.l.all(x, !(5 in output.m))'],
    ['an index that is a number', 'output.l.all(x, output.m[5] == 1) || true'],
    ['a search made to be slow', 'output.l.all(x, !output.t.contains(output.n))'],
    ['search in a long text in a loop', 'output.l.all(x, !output.t.contains(output.t + "b"))'],
  ])('%s', (_, source) => {
    expect(check(source)).toBeUndefined();
    const n = `${'a'.repeat(12_000)}b${'a'.repeat(12_000)}`;
    expect(reason(source, { l: list, m: large, n, s: 'ab', t: 'a'.repeat(50_000) })).toBe('too_expensive');
  });

  it('patterns made to be slow', () => {
    expect(reason('output.t.matches("^(a+)+$")', { t: `${'a'.repeat(50_000)}b` })).toBe(false);
    expect(reason('output.t.matches("((a{100}){100}){100}")', { t: 'aaa' })).toBe('failed');
    expect(reason('output.l.all(x, !output.t.matches("(x+x+)+y"))', { l: list, t: 'x'.repeat(50_000) })).toBe(
      'too_expensive',
    );
  });

  it('values too many to look at', () => {
    const rows = Array.from({ length: 1_000 }, () => Array.from({ length: 600 }, () => 0));
    expect(reason('output.rows.size() > 0', { rows })).toBe('too_expensive');
  });
});

describe('BN-11 an expression of any kind', () => {
  const tokens =
    'output task state x . .? ? : [ ] [? ( ) { } {? , + - * / % ! && || == != < > <= >= in true false null 0 1 1u 1.5 "a" b"a" size has all exists exists_one map filter matches contains startsWith type int uint double string bytes timestamp duration dyn bool list getFullYear google.protobuf.Any'.split(
      ' ',
    );
  const source = fc.array(fc.constantFrom(...tokens), { maxLength: 14 }).map((list) => list.join(' '));
  /** Put together so that it usually parses. */
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        'output',
        'output.a',
        'output.l',
        '1',
        '1u',
        '2.5',
        '"a"',
        'true',
        'null',
        '[]',
        '{}',
        'b"x"',
        '"1s"',
      ),
      fc
        .tuple(
          tie('expression'),
          fc.constantFrom('+', '-', '*', '/', '%', '==', '<', '&&', '||', 'in'),
          tie('expression'),
        )
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc
        .tuple(
          fc.constantFrom('size', 'int', 'string', 'type', 'bytes', 'duration', 'timestamp', 'dyn', '!', '-'),
          tie('expression'),
        )
        .map(([f, a]) => `${f}(${a})`),
      fc
        .tuple(tie('expression'), fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter'), tie('expression'))
        .map(([a, f, b]) => `${a}.${f}(x, ${b})`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `${a}[${b}]`),
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{${a}: ${b}}`),
      fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc
        .tuple(tie('expression'), fc.constantFrom('a', 'matches("a")', 'contains("a")', 'size()', 'getHours("Mars")'))
        .map(([a, f]) => `${a}.${f}`),
    ),
  }));

  it('never throws, and one that is refused is never evaluated', () => {
    fc.assert(
      fc.property(fc.oneof(source, expression, fc.string()), (text) => {
        const problem = checkCondition(text, EDGE_VARIABLES);
        const result = value(text, { a: 'x', l: [1, 'b', { c: null }] });
        if (problem !== undefined) expect(result).toMatchObject({ ok: false, reason: 'invalid' });
        else expect(result).not.toMatchObject({ reason: 'invalid' });
      }),
      { numRuns: 1_000 },
    );
  });
});
