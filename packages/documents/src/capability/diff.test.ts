import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../json/value.ts';
import { compileCheck } from '../schema/evaluate.ts';
import { readSchema } from '../schema/read.ts';
import { type DiffOptions, diffManifests } from './diff.ts';
import { renderDiff } from './diff-text.ts';
import { CHANGE_TEXTS, DIFF_TEXTS } from './diff-texts.ts';
import type { Manifest } from './manifest.ts';
import { type ChangeCode, DIFF_RULES } from './rules.ts';
import { validateManifest } from './validate.ts';

interface Expected {
  readonly code: ChangeCode;
  readonly path: string;
  readonly side?: 'old';
  readonly intoNewScope?: true;
}
interface Case {
  readonly name: string;
  /** Two input schemas of one tool … */
  readonly schemas?: readonly [Json, Json];
  /** … or two whole manifests. */
  readonly before?: Manifest;
  readonly after?: Manifest;
  readonly changes: readonly Expected[];
}

const folder = new URL('../../../../vectors/diffs/', import.meta.url);
const vectors = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { rule: string; cases: Case[] });

function withSchema(input_schema: Json, more: object = {}): Manifest {
  return {
    schema_version: '1.0',
    agent_version: '1.0.0',
    tools: [{ name: 'look_up', description_i18n_key: 't', input_schema, permission_scope: 'net:read', ...more }],
    permission_scopes: [{ id: 'net:read', label_i18n_key: 's', label_fallback: 'Net', sensitivity: 'medium' }],
  } as unknown as Manifest;
}

function manifestsOf(vector: Case): [Manifest, Manifest] {
  if (vector.schemas) return vector.schemas.map((schema) => withSchema(schema)) as [Manifest, Manifest];
  return [vector.before!, vector.after!];
}

function vectorsOf(rule: string): Case[] {
  const cases = vectors.filter((file) => file.rule === rule).flatMap((file) => file.cases);
  if (cases.length === 0) throw new Error(`no vectors for ${rule}`);
  return cases;
}

/** One vector, under both policies. */
function checkVector(vector: Case): void {
  const [before, after] = manifestsOf(vector);
  for (const manifest of [before, after]) expect(validateManifest(manifest).valid).toBe(true);
  for (const policy of ['spec', 'guide'] as const) {
    const diff = diffManifests(before, after, { policy });
    const prefix = vector.schemas ? '/tools/0/input_schema' : '';
    const expected = vector.changes.map(({ code, path, side, intoNewScope }) => ({
      code,
      path: prefix + path,
      side: side ?? 'new',
      breaking: (intoNewScope ? DIFF_RULES[code].breakingIntoNewScope! : DIFF_RULES[code].breaking).includes(policy),
    }));
    const actual = diff.changes.map(({ code, path, side, breaking }) => ({ code, path, side, breaking }));
    expect(sorted(actual)).toEqual(sorted(expected));
    expect(diff.breaking).toBe(expected.some((change) => change.breaking));
    for (const change of diff.changes) checkWitness(before, after, change);
  }
}

function checkWitness(
  before: Manifest,
  after: Manifest,
  change: { tool?: string; witness?: Json; code: string },
): void {
  if (change.witness === undefined) return;
  const check = (manifest: Manifest) =>
    compileCheck(readSchema(manifest.tools.find((tool) => tool.name === change.tool)!.input_schema as Json).root!);
  expect(check(before)(change.witness).valid).toBe(true);
  expect(check(after)(change.witness).valid).toBe(false);
}

function sorted<T extends { code: string; path: string }>(changes: readonly T[]): T[] {
  const key = (change: T) => `${change.code} ${change.path}`;
  return [...changes].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The verdicts as the rules print them, written out again: the table in the code must not drift. */
function expectVerdict(code: ChangeCode, rule: string, spec: boolean, guide: boolean): void {
  expect(DIFF_RULES[code].rule).toBe(rule);
  expect(DIFF_RULES[code].breaking.includes('spec')).toBe(spec);
  expect(DIFF_RULES[code].breaking.includes('guide')).toBe(guide);
}

describe('DF-1 required property added', () => {
  it.each(vectorsOf('DF-1'))('DF-1 $name', checkVector);
  it('DF-1 is breaking under both policies', () => expectVerdict('schema.required_added', 'DF-1', true, true));
});
describe('DF-2 type changed', () => {
  it.each(vectorsOf('DF-2'))('DF-2 $name', checkVector);
  it('DF-2 is breaking under both policies', () => expectVerdict('schema.type_changed', 'DF-2', true, true));
});
describe('DF-3 closed', () => {
  it.each(vectorsOf('DF-3'))('DF-3 $name', checkVector);
  it('DF-3 is breaking under both policies', () => expectVerdict('schema.closed', 'DF-3', true, true));
});
describe('DF-4 opened', () => {
  it.each(vectorsOf('DF-4'))('DF-4 $name', checkVector);
  it('DF-4 is breaking under guide only', () => expectVerdict('schema.opened', 'DF-4', false, true));
});
describe('DF-5 enum value removed', () => {
  it.each(vectorsOf('DF-5'))('DF-5 $name', checkVector);
  it('DF-5 is breaking under both policies', () => expectVerdict('schema.enum_removed', 'DF-5', true, true));
});
describe('DF-6 enum value added', () => {
  it.each(vectorsOf('DF-6'))('DF-6 $name', checkVector);
  it('DF-6 is breaking under guide only', () => expectVerdict('schema.enum_added', 'DF-6', false, true));
});
describe('DF-7 narrowed', () => {
  it.each(vectorsOf('DF-7'))('DF-7 $name', checkVector);
  it('DF-7 is breaking under both policies', () => expectVerdict('schema.narrowed', 'DF-7', true, true));
});
describe('DF-8 widened', () => {
  it.each(vectorsOf('DF-8'))('DF-8 $name', checkVector);
  it('DF-8 is breaking under guide only', () => expectVerdict('schema.widened', 'DF-8', false, true));
});
describe('DF-9 annotation', () => {
  it.each(vectorsOf('DF-9'))('DF-9 $name', checkVector);
  it('DF-9 is breaking under guide only', () => expectVerdict('schema.annotation', 'DF-9', false, true));
});
describe('DF-10 sensitivity raised', () => {
  it.each(vectorsOf('DF-10'))('DF-10 $name', checkVector);
  it('DF-10 is breaking under both policies', () => {
    expectVerdict('tool.sensitivity_raised', 'DF-10', true, true);
    expectVerdict('scope.sensitivity_raised', 'DF-10', true, true);
  });
});
describe('DF-11 sensitivity lowered', () => {
  it.each(vectorsOf('DF-11'))('DF-11 $name', checkVector);
  it('DF-11 is silent, but for a move to a new scope under spec', () => {
    expectVerdict('tool.sensitivity_lowered', 'DF-11', false, false);
    expectVerdict('scope.sensitivity_lowered', 'DF-11', false, false);
    expectVerdict('tool.scope_changed', 'DF-11', false, false);
    expect(DIFF_RULES['tool.scope_changed'].breakingIntoNewScope).toEqual(['spec']);
  });
});
describe('DF-12 scope added', () => {
  it.each(vectorsOf('DF-12'))('DF-12 $name', checkVector);
  it('DF-12 is breaking under spec only', () => expectVerdict('scope.added', 'DF-12', true, false));
});
describe('DF-13 scope removed', () => {
  it.each(vectorsOf('DF-13'))('DF-13 $name', checkVector);
  it('DF-13 is breaking under guide only', () => expectVerdict('scope.removed', 'DF-13', false, true));
});
describe('DF-14 tool added', () => {
  it.each(vectorsOf('DF-14'))('DF-14 $name', checkVector);
  it('DF-14 is silent', () => expectVerdict('tool.added', 'DF-14', false, false));
});
describe('DF-15 tool removed', () => {
  it.each(vectorsOf('DF-15'))('DF-15 $name', checkVector);
  it('DF-15 is breaking under guide only', () => expectVerdict('tool.removed', 'DF-15', false, true));
});
describe('DF-16 flag revoked', () => {
  it.each(vectorsOf('DF-16'))('DF-16 $name', checkVector);
  it('DF-16 is breaking under both policies', () => expectVerdict('flag.revoked', 'DF-16', true, true));
});
describe('DF-17 flag added', () => {
  it.each(vectorsOf('DF-17'))('DF-17 $name', checkVector);
  it('DF-17 is silent', () => expectVerdict('flag.added', 'DF-17', false, false));
});
describe('DF-18 texts and settings', () => {
  it.each(vectorsOf('DF-18'))('DF-18 $name', checkVector);
  it('DF-18 is silent', () => {
    for (const code of ['text', 'agent_version', 'timeout', 'required', 'extension'] as const) {
      expectVerdict(`${code}.changed`, 'DF-18', false, false);
    }
  });
});

describe('DF-19 one record for each change', () => {
  const closed = (properties: object, required: string[] = []) =>
    ({
      type: 'object',
      properties,
      required,
      additionalProperties: false,
    }) as unknown as Json;

  it('DF-19 says what, where, of which tool and scope, and what it asks of people', () => {
    const before = withSchema(closed({ a: { type: 'string' } }));
    const after = withSchema(closed({ a: { type: 'string' } }, ['a']));
    const { changes } = diffManifests(before, after);
    expect(changes).toEqual([
      {
        code: 'schema.required_added',
        path: '/tools/0/input_schema/required/0',
        side: 'new',
        tool: 'look_up',
        scope: 'net:read',
        breaking: true,
        consent: 'reauth',
        message: '"a" is now required: calls that leave it out are refused. For example: {}',
        witness: {},
      },
    ]);
    expect(diffManifests(before, after, { locale: 'zh-CN' }).changes[0]!.message).toBe(
      '“a”现在是必填项：未提供它的调用会被拒绝。例如：{}',
    );
  });

  it('DF-19 asks for consent where a change is breaking, gives notice where more or less is possible, else neither', () => {
    const notice = Object.entries(DIFF_RULES)
      .filter(([, rule]) => rule.notice)
      .map(([code]) => code);
    expect(notice.sort()).toEqual([
      'flag.added',
      'schema.enum_added',
      'schema.opened',
      'schema.widened',
      'scope.added',
      'scope.removed',
      'text.changed',
      'tool.added',
      'tool.removed',
    ]);
    const before = withSchema(closed({ a: { type: 'string', maxLength: 5 } }), { timeout_ms: 5 });
    const after = withSchema(closed({ a: { type: 'string', maxLength: 9 } }), { timeout_ms: 6 });
    const consents = (policy: 'spec' | 'guide') =>
      Object.fromEntries(diffManifests(before, after, { policy }).changes.map((c) => [c.code, c.consent]));
    expect(consents('spec')).toEqual({ 'timeout.changed': 'none', 'schema.widened': 'notice' });
    expect(consents('guide')).toEqual({ 'timeout.changed': 'none', 'schema.widened': 'reauth' });
  });

  it('DF-19 points into the old manifest for removals, by the old index', () => {
    const tool = (name: string) => ({ ...withSchema({ type: 'object' }).tools[0]!, name });
    const manifest = (...names: string[]) =>
      ({ ...withSchema({ type: 'object' }), tools: names.map(tool) }) as Manifest;
    const { changes } = diffManifests(manifest('aa', 'bb', 'cc'), manifest('cc', 'aa'));
    expect(changes).toMatchObject([{ code: 'tool.removed', path: '/tools/1', side: 'old', tool: 'bb' }]);
  });

  it('DF-19 points into the old manifest for what an edit took away, by the old index of the tool', () => {
    const tool = (name: string, input_schema: Json) => ({ ...withSchema(input_schema).tools[0]!, name });
    const manifest = (...tools: object[]) => ({ ...withSchema({ type: 'object' }), tools }) as Manifest;
    const [first, second] = [{ type: 'object' }, { type: 'object', maxProperties: 5 }] as [Json, Json];
    const before = manifest(tool('aa', first), tool('bb', second));
    const { changes } = diffManifests(before, manifest(tool('bb', first), tool('aa', first)));
    expect(changes).toMatchObject([{ path: '/tools/1/input_schema/maxProperties', side: 'old', tool: 'bb' }]);
  });

  it('DF-19 quotes hostile text only in a form that is safe to show', () => {
    const name = 'a\u202eevil\n';
    const { changes } = diffManifests(withSchema(closed({})), withSchema(closed({ [name]: true }, [name])));
    for (const change of changes) expect(change.message).not.toMatch(/[\u202e\n]/);
    expect(changes.length).toBe(2);
  });

  it('HS-6 has the same parameters in both languages for every sentence', () => {
    const params = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
    for (const texts of [...Object.values(CHANGE_TEXTS), ...Object.values(DIFF_TEXTS)]) {
      expect(params(texts['zh-CN'])).toEqual(params(texts.en));
    }
    for (const code of Object.keys(DIFF_RULES)) expect(CHANGE_TEXTS).toHaveProperty([code]);
  });

  it('DF-19 renders as text: verdict first, grouped by tool, breaking before silent', () => {
    const before = withSchema(closed({ a: { enum: ['x', 'y'] } }));
    const after = { ...withSchema(closed({ a: { enum: ['x', 'z'] } })), agent_version: '1.1.0' } as Manifest;
    const text = renderDiff(diffManifests(before, after), 'en');
    expect(text.split('\n')).toEqual([
      'Breaking: people who use this agent will be asked again (1 of 3 changes).',
      'Permissions to agree to again: net:read',
      '',
      'Tool look_up',
      '  ! "a" no longer accepts "y". For example: {"a":"y"}',
      '    schema.enum_removed /tools/0/input_schema/properties/a/enum/1',
      '  - "a" now also accepts "z".',
      '    schema.enum_added /tools/0/input_schema/properties/a/enum/1',
      '',
      'The agent',
      '  - The agent’s version is now 1.1.0 (was 1.0.0).',
      '    agent_version.changed /agent_version',
    ]);
    expect(renderDiff(diffManifests(before, before), 'zh-CN')).toBe('没有变化。');
  });

  it('CM-3 agent_version never makes a change breaking', () => {
    const before = withSchema({ type: 'object' });
    for (const policy of ['spec', 'guide'] as const) {
      const diff = diffManifests(before, { ...before, agent_version: '99.0.0-rc.1' }, { policy });
      expect(diff).toMatchObject({ breaking: false, scopesRequiringReauth: [], changes: [{ consent: 'none' }] });
    }
  });

  it('DF-19 refuses a policy that does not exist', () => {
    const manifest = withSchema({ type: 'object' });
    expect(() => diffManifests(manifest, manifest, { policy: 'lax' as 'spec' })).toThrow(TypeError);
  });
});

describe('DF-20 scopes to be agreed to again', () => {
  const scopes = ['b:two', 'a:one', 'c:three'].map((id) => ({
    id,
    label_i18n_key: id,
    label_fallback: id,
    sensitivity: 'medium',
  }));
  const tool = (name: string, permission_scope: string, input_schema: Json = { type: 'object' }) => ({
    name,
    description_i18n_key: name,
    input_schema,
    permission_scope,
  });
  const manifest = (tools: object[], list: object[] = scopes) =>
    ({ schema_version: '1.0', agent_version: '1.0.0', tools, permission_scopes: list }) as unknown as Manifest;
  const narrowed: Json = { type: 'object', required: ['x'] };

  it('DF-20 lists the scope of each breaking change once, sorted', () => {
    const before = manifest([tool('t1', 'b:two'), tool('t2', 'a:one'), tool('t3', 'b:two')]);
    const after = manifest([
      tool('t1', 'b:two', narrowed),
      tool('t2', 'a:one', narrowed),
      tool('t3', 'b:two', narrowed),
    ]);
    expect(diffManifests(before, after).scopesRequiringReauth).toEqual(['a:one', 'b:two']);
  });

  it('DF-20 takes the scope a tool has in the new manifest', () => {
    const diff = diffManifests(manifest([tool('t1', 'b:two')]), manifest([tool('t1', 'a:one', narrowed)]));
    expect(diff.scopesRequiringReauth).toEqual(['a:one']);
  });

  it('DF-20 takes the old scope of a tool that is gone', () => {
    const diff = diffManifests(manifest([tool('t1', 'b:two')]), manifest([]), { policy: 'guide' });
    expect(diff.scopesRequiringReauth).toEqual(['b:two']);
  });

  it('DF-20 takes the scope itself for changes of scopes', () => {
    const raised = scopes.map((scope) => (scope.id === 'c:three' ? { ...scope, sensitivity: 'high' } : scope));
    expect(diffManifests(manifest([]), manifest([], raised)).scopesRequiringReauth).toEqual(['c:three']);
    expect(diffManifests(manifest([], scopes.slice(1)), manifest([])).scopesRequiringReauth).toEqual(['b:two']);
  });

  it('DF-20 is empty where the breaking change has no scope, or nothing is breaking', () => {
    const flags = (value: boolean) => ({ ...manifest([]), capability_flags: { supports_voice: value } }) as Manifest;
    const revoked = diffManifests(flags(true), flags(false));
    expect(revoked).toMatchObject({ breaking: true, scopesRequiringReauth: [] });
    expect(diffManifests(manifest([tool('t1', 'b:two')]), manifest([])).scopesRequiringReauth).toEqual([]);
  });

  it('WC-71 names a level in the language of the sentence, and a permission as it is asked to', () => {
    const scope = { id: 'x:y', label_i18n_key: 'k', label_fallback: 'Look', sensitivity: 'low' } as const;
    const before = { schema_version: '1.0', agent_version: '1.0.0', tools: [], permission_scopes: [scope] } as never;
    const raised = { ...scope, sensitivity: 'high' };
    const after = { schema_version: '1.0', agent_version: '1.0.0', tools: [], permission_scopes: [raised] } as never;
    const say = (options: DiffOptions) => diffManifests(before, after, options).changes.map(({ message }) => message);
    expect(say({ locale: 'zh-CN', nameScope: () => '“查看”' })).toEqual(['权限“查看”的敏感度由低升为高。']);
    expect(say({ locale: 'en' })).toEqual(['The permission x:y is now high (was low).']);
  });
});
