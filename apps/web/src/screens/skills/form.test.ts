import type { SkillInput } from '@parley/documents/skill';
import { describe, expect, it } from 'vitest';
import { checkInputs, kindOf, readForm, readKept, startForm } from './form.ts';

const input = (name: string, type: SkillInput['type'], more: Partial<SkillInput> = {}): SkillInput => ({
  name,
  type,
  description: '',
  required: false,
  ...more,
});

const FIELDS: SkillInput[] = [
  input('text', 'string', { required: true }),
  input('count', 'integer', { default: 3 }),
  input('ratio', 'number'),
  input('sure', 'boolean'),
  input('more', 'object'),
  input('list', 'array'),
  input('nothing', 'null', { required: true, default: null }),
  input('tone', 'string', { required: true, default: 'warm', schema: { enum: ['warm', 'cold'] } }),
  input('__proto__', 'string'),
];

describe('SD-3 a form made from inputs', () => {
  it('SD-3 asks for each type in its own way', () => {
    expect(FIELDS.map(kindOf)).toEqual([
      'text',
      'number',
      'number',
      'yes-no',
      'json',
      'json',
      'null',
      'choice',
      'text',
    ]);
  });

  it('SD-3 reads what was entered as the types that were asked for', () => {
    const entered = new Map([
      ...startForm(FIELDS),
      ['text', '5'],
      ['ratio', '1.5'],
      ['sure', 'false'],
      ['more', '{"a":[1]}'],
      ['list', '[]'],
      ['__proto__', 'x'],
    ]);
    const { inputs, problems } = readForm(FIELDS, entered);
    expect(problems.size).toBe(0);
    expect(Object.entries(inputs)).toEqual([
      ['text', '5'],
      ['ratio', 1.5],
      ['sure', false],
      ['more', { a: [1] }],
      ['list', []],
      ['nothing', null],
      ['tone', 'warm'],
      ['__proto__', 'x'],
    ]);
  });

  it('SD-3 says what is missing and what is no number, no JSON', () => {
    const entered = new Map([
      ['count', '1.5'],
      ['ratio', 'x'],
      ['more', '{'],
    ]);
    const codes = [...readForm(FIELDS, entered).problems].map(([name, { code }]) => [name, code]);
    expect(codes).toEqual([
      ['text', 'needed'],
      ['count', 'numberWrong'],
      ['ratio', 'numberWrong'],
      ['more', 'jsonWrong'],
      ['nothing', 'needed'],
      ['tone', 'needed'],
    ]);
  });

  it('SI-2 checks against the schemas before anything is sent', () => {
    const fields = [input('text', 'string', { required: true, schema: { maxLength: 3 } })];
    expect(checkInputs(fields, { text: 'abc' })).toEqual([]);
    expect(checkInputs(fields, { text: 'abcd' })[0]).toMatch(/^text: /);
  });

  it('WC-67 what was filled in is read again, by the fields that there are', () => {
    const kept = JSON.stringify([
      ['text', 'a'],
      ['gone', 'b'],
    ]);
    expect(readKept(kept, FIELDS)).toEqual(new Map([['text', 'a']]));
    expect(readKept('', FIELDS)).toBeUndefined();
  });

  it.each(['{', 'null', '{}', '7', '[null]', '[7]', '[["text",{}]]', '[["text"]]'])(
    'WC-67 attack: what is kept is damaged, and the form can be used all the same: %s',
    (kept) => {
      const entered = readKept(kept, FIELDS) ?? startForm(FIELDS);
      expect(readForm(FIELDS, entered).problems.get('text')?.code).toBe('needed');
    },
  );
});
