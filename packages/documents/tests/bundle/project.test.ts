import { readFileSync } from 'node:fs';
import { LOCALES } from '@parley/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bundle, type Kit, projectToManifest, readBundle } from '../../src/bundle/index.ts';
import { nameTools } from '../../src/bundle/tool-name.ts';
import { minimalBundle } from './minimal.ts';

const kit = (id: string, changes: Partial<Kit> = {}): Kit => ({
  id,
  label: id,
  capabilities: ['c'],
  riskLevel: 'low',
  toolBinding: { type: 'mcp' },
  ...changes,
});
const project = (...kits: Kit[]) => projectToManifest(minimalBundle({ kits }));

describe('BA-7 a bundle as a capability manifest', () => {
  it.each(['note-taker', 'research-pipeline', 'review-board'])('passes our own validator: %s', (name) => {
    const url = new URL(`../../../../examples/bundles/${name}/manifest.json`, import.meta.url);
    const bundle = readBundle(JSON.parse(readFileSync(url, 'utf8'))).bundle as Bundle;
    const { validation } = projectToManifest(bundle);
    expect(validation.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(validation.manifest!.tools).toHaveLength(bundle.kits!.filter(({ toolBinding }) => toolBinding).length);
  });

  it('makes each permission a scope; the highest risk of the kits that share one is its sensitivity', () => {
    const permissions = [{ type: 'network', target: 'https://a.example', mode: 'read' }];
    const risks = ['low', 'medium', 'high', 'critical', undefined] as const;
    const levels = risks.map((riskLevel) => {
      const { riskLevel: _, ...rest } = kit('k', { permissions });
      const { manifest } = project(riskLevel === undefined ? rest : { ...rest, riskLevel }).validation;
      return manifest!.permission_scopes.map(({ id, sensitivity }) => `${id} ${sensitivity}`).join();
    });
    expect(levels).toEqual(['low', 'medium', 'high', 'high', 'medium'].map((level) => `network:read ${level}`));
    const shared = project(kit('a', { permissions }), kit('b', { permissions, riskLevel: 'high' })).validation
      .manifest!;
    expect(shared.permission_scopes).toMatchObject([{ id: 'network:read', sensitivity: 'high' }]);
  });

  it('puts a tool under its most sensitive scope, of equals the one that permits most', () => {
    const permission = (type: string, mode: string) => ({ type, target: 'x', mode });
    const { manifest } = project(
      kit('notes', { permissions: [permission('filesystem', 'read'), permission('filesystem', 'write')] }),
      kit('shared', { riskLevel: 'high', permissions: [permission('network', 'read')] }),
      kit('mixed', { permissions: [permission('filesystem', 'write'), permission('network', 'read')] }),
      kit('plain'),
    ).validation;
    expect(manifest!.tools.map((tool) => tool.permission_scope)).toEqual([
      'filesystem:write',
      'network:read',
      'network:read',
      'kit:plain',
    ]);
  });

  it('makes no tool of a kit without a binding, and no scope that nothing asks for', () => {
    const { toolBinding: _, ...bare } = kit('bare');
    expect(project(bare).validation.manifest).toMatchObject({ tools: [], permission_scopes: [] });
  });

  it('takes the schema of the binding where it has a usable one, else a closed object', () => {
    const schema = { type: 'object', properties: { q: { type: 'string' } }, additionalProperties: false };
    const bound = (id: string, config: NonNullable<Kit['toolBinding']>['config']) =>
      kit(id, { toolBinding: { type: 'mcp', config: config! } });
    const unsafe = { type: 'object', properties: { q: { $ref: 'https://evil.example/schema' } } };
    const { validation, notes } = project(
      bound('aa', { inputSchema: schema }),
      bound('bb', { schema: unsafe }),
      kit('cc'),
    );
    const [first, second, third] = validation.manifest!.tools.map((tool) => tool.input_schema);
    expect(first).toEqual(schema);
    expect(second).toEqual(third);
    expect(third).toMatchObject({ type: 'object', required: ['input'], additionalProperties: false });
    expect(notes.map(({ code, kit }) => `${code} ${kit}`)).toEqual(['schema_unusable bb', 'schema_assumed cc']);
  });

  it('keeps away from the scopes of the platform, and from texts that are no id', () => {
    const permissions = [
      { type: 'SYSTEM', target: 'x', mode: 'read' },
      { type: 'hashee', target: 'x', mode: 'all of it\u202e' },
      { type: '相机', target: 'x', mode: '看' },
    ];
    const { validation, notes } = project(kit('kk', { permissions }));
    expect(validation.valid).toBe(true);
    expect(validation.manifest!.permission_scopes.map(({ id }) => id)).toEqual([
      'kit-system:read',
      'kit-hashee:all-of-it',
      'other:other',
    ]);
    expect(notes.filter(({ code }) => code === 'scope_renamed')).toHaveLength(3);
  });

  it('says so in both languages where a name had to change', () => {
    const bundle = minimalBundle({ kits: [kit('3d')] });
    const [english, chinese] = LOCALES.map((locale) => projectToManifest(bundle, { locale }).notes[0]!);
    expect(english).toMatchObject({ code: 'tool_renamed', kit: '3d', params: { name: 'kit_3d' } });
    expect(english!.message).toContain('becomes the tool "kit_3d"');
    expect(chinese!.message).toContain('工具名为“kit_3d”');
  });

  it('is not valid where it would be too large', () => {
    const many = Array.from({ length: 900 }, (_, index) => kit(`kit-${index}`));
    const { validation } = project(...many);
    expect(validation.findings.map(({ code }) => code)).toContain('MANIFEST_TOO_LARGE');
    expect(validation.manifest).toBeUndefined();
  });
});

describe('BA-7 names of tools', () => {
  it('are the ids where CM-4 allows it', () => {
    expect([...nameTools(['web-search', 'a1']).values()]).toEqual(['web_search', 'a1']);
  });

  it('start with a letter, are short enough and never collide, whoever comes first', () => {
    const long = 'a'.repeat(40);
    const names = nameTools(['1a', 'x', `${long}-b`, `${long}-c`, 'kit-1a', 'kit-x']);
    expect([...new Set(names.values())]).toHaveLength(6);
    expect(names.get('kit-1a')).toBe('kit_1a');
    expect(names.get('1a')).toMatch(/^kit_1a_[0-9a-f]{6}$/);
    expect(names.get(`${long}-b`)).toMatch(/^a{25}_[0-9a-f]{6}$/);
  });

  it('fit CM-4 and differ for any set of ids', () => {
    const ids = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,20}){0,3}$/);
    fc.assert(
      fc.property(fc.uniqueArray(ids, { maxLength: 30 }), (list) => {
        const names = [...nameTools(list).values()];
        expect(new Set(names).size).toBe(list.length);
        for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{1,31}$/);
        expect(nameTools(list.toReversed())).toEqual(nameTools(list));
      }),
    );
  });
});
