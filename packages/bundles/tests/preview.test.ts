import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Bundle, readBundle } from '@parley/documents/bundle';
import { describe, expect, it } from 'vitest';
import { activateBundle, detectRuntimes, findRuntimes, previewBundle, statusOf, type TargetId } from '../src/index.ts';
import { planActivation } from '../src/plan/plan.ts';
import { EMPTY_WORKSPACE } from '../src/plan/workspace-state.ts';
import { project } from '../src/project/project.ts';
import type { ProjectionInput } from '../src/project/projection.ts';
import { notesKit, researchBundle } from './harness/bundle.ts';
import { makeFolder, PERSONS, takePicture } from './harness/workspace.ts';

const input = (root: string, changes: Record<string, unknown> = {}) => ({
  manifest: researchBundle(changes),
  roots: { workspace: root },
  kitFiles: notesKit(),
});
const bundle = (changes: Record<string, unknown> = {}) => readBundle(researchBundle(changes)).bundle!;

async function preview(root: string, changes: Record<string, unknown> = {}) {
  const result = await previewBundle(input(root, changes));
  if (!result.ok) throw new Error('invalid');
  return result;
}

describe('BA-1 shadow preview', () => {
  it('BA-1 says what would happen and changes nothing', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const { reply, upgrade, plan } = await preview(root);
    expect(takePicture(root)).toEqual(before);
    expect(Object.keys(reply.preview).sort()).toEqual(
      'capabilities description entryRole files headline members permissions planDigest risk routes'.split(' '),
    );
    expect(reply.preview).toMatchObject({ risk: 'medium', entryRole: 'analyst', planDigest: plan.planDigest });
    expect(reply.preview.files).toContainEqual({ path: 'AGENTS.md', action: 'modify' });
    expect(reply.preview.files).toContainEqual({ path: 'ROLEOS.md', action: 'create' });
    expect(reply.markdown).toContain(plan.planDigest);
    expect(upgrade).toBeNull();
  });

  it('BA-2 what was previewed is what is done', async () => {
    const root = makeFolder(PERSONS);
    const { plan } = await preview(root);
    const result = await activateBundle({ ...input(root), planDigest: plan.planDigest });
    expect(result).toMatchObject({ ok: true });
    const done = result.ok ? [...result.reply.filesCreated, ...result.reply.filesModified].sort() : [];
    expect(done).toEqual(plan.operations.map(({ path }) => path).sort());
  });

  it('BA-2 a workspace edited after the preview has another plan', async () => {
    const root = makeFolder(PERSONS);
    const { plan } = await preview(root);
    writeFileSync(join(root, 'AGENTS.md'), 'edited\n');
    expect(await activateBundle({ ...input(root), planDigest: plan.planDigest })).toMatchObject({
      ok: false,
      failure: { code: 'PLAN_CHANGED', planDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    });
  });

  it('BA-2 a bundle changed after the preview has another plan', async () => {
    const root = makeFolder(PERSONS);
    const { plan } = await preview(root);
    const changed = { ...input(root, { targetUser: 'Somebody else' }), planDigest: plan.planDigest };
    expect(await activateBundle(changed)).toMatchObject({ failure: { code: 'PLAN_CHANGED' } });
  });

  it('BA-1 an upgrade comes with what a person has to agree to again', async () => {
    const root = makeFolder(PERSONS);
    await activateBundle(input(root));
    const kits = (researchBundle().kits as { id: string }[]).map((kit) =>
      kit.id === 'notes'
        ? { ...kit, riskLevel: 'high', permissions: [{ type: 'filesystem', target: 'notes/', mode: 'write' }] }
        : kit,
    );
    const { upgrade, plan } = await preview(root, { version: '1.1.0', kits });
    expect(plan.replaces).toBe('1.0.0');
    expect(upgrade?.changes.length).toBeGreaterThan(0);
  });

  it('BA-1 an invalid manifest gets the validation', async () => {
    const result = await previewBundle(input(makeFolder(), { id: 'Not Kebab' }));
    expect(result).toMatchObject({ ok: false, failure: { code: 'BUNDLE_INVALID', validation: { valid: false } } });
  });
});

describe('BA-1 the plan is a pure function', () => {
  const planFor = (
    bundle: Bundle,
    {
      target = 'openclaw',
      kitFiles = notesKit(),
      locale = 'en',
    }: Partial<ProjectionInput> & { target?: TargetId } = {},
  ) => {
    const projection = project({ bundle, kitFiles, locale }, target);
    return planActivation({ bundle, projection, target, workspaceState: EMPTY_WORKSPACE });
  };
  const plan = (changes: Record<string, unknown> = {}) => planFor(bundle(changes));

  it('BA-1 the same input has the same digest, whatever the order of keys', () => {
    const reversed = Object.fromEntries(Object.entries(researchBundle()).reverse());
    const again = planFor(readBundle(reversed).bundle!);
    expect(again.planDigest).toBe(plan().planDigest);
    expect(plan({ summary: 'Another.' }).planDigest).not.toBe(plan().planDigest);
  });

  it('BA-1 paths are sorted, and every content has its digest', () => {
    const { operations } = plan();
    const paths = operations.map(({ path }) => path);
    expect(paths).toEqual([...paths].sort());
    expect(operations.every(({ action, after }) => action === 'create' && /^[0-9a-f]{64}$/.test(after ?? ''))).toBe(
      true,
    );
  });

  it('BN-3 an MCP kit without a command or an address is said to be missing, and not guessed', () => {
    const kits = [
      { id: 'a', label: 'A', capabilities: ['x'], toolBinding: { type: 'mcp', config: { server: 'search-api' } } },
      {
        id: 'b',
        label: 'B',
        capabilities: ['x'],
        toolBinding: { type: 'mcp', config: { url: 'https://b.example/mcp' } },
      },
      {
        id: 'c',
        label: 'C',
        capabilities: ['x'],
        toolBinding: { type: 'mcp', config: { url: 'javascript:alert(1)' } },
      },
    ];
    const roles = [
      { id: 'analyst', label: 'Analyst', isEntry: true },
      { id: 'writer', label: 'Writer' },
    ];
    const { missing, operations } = plan({ kits, roles });
    expect(missing).toEqual([
      { code: 'MCP_LAUNCH_MISSING', kit: 'a', detail: 'search-api' },
      { code: 'MCP_LAUNCH_MISSING', kit: 'c', detail: 'c' },
    ]);
    const list = operations.find(({ path }) => path.endsWith('/mcp.json'))?.content;
    expect(JSON.parse(String(list))).toEqual({ mcpServers: { b: { url: 'https://b.example/mcp' } } });
  });

  it('BV-5 an entry point that nobody delivered is said to be missing', () => {
    const { missing } = planFor(bundle(), { target: 'plain', kitFiles: new Map() });
    expect(missing).toContainEqual({ code: 'ENTRY_POINT_MISSING', kit: 'notes', detail: 'lib/notes.js' });
  });

  it('BA-4 the generated texts are there in Chinese, too', () => {
    const chinese = planFor(bundle(), { locale: 'zh-CN' });
    const agents = chinese.operations.find(({ path }) => path === 'AGENTS.md')?.content;
    expect(String(agents)).toContain('职责');
  });
});

describe('BA-8 status and surroundings', () => {
  it('BA-8 tells bundles, entry role and routes', async () => {
    const root = makeFolder(PERSONS);
    await activateBundle(input(root));
    expect(await statusOf(root)).toMatchObject({
      session: null,
      dueUpdates: [],
      recovery: { undone: false, leftovers: [] },
      bundles: [
        {
          id: 'research-team',
          version: '1.0.0',
          entryRole: 'analyst',
          drift: [],
          routes: { entryRole: 'analyst', teams: [{ id: 'main', edges: [{ source: 'analyst', target: 'writer' }] }] },
        },
      ],
    });
  });

  it('BA-6 a manifest that was changed on disk is reported and not read', async () => {
    const root = makeFolder();
    await activateBundle(input(root));
    writeFileSync(
      join(root, '.roleos/bundles/research-team/manifest.json'),
      JSON.stringify(researchBundle({ name: 'Evil' })),
    );
    expect((await statusOf(root)).bundles).toMatchObject([
      { name: 'Research team', routes: null, drift: [{ problem: 'changed' }] },
    ]);
  });

  it('BA-8 finds the programs of this machine and their versions', async () => {
    const { programs, runtimes } = await detectRuntimes();
    expect(programs.node).toEqual({ command: 'node', version: process.versions.node });
    expect(runtimes).toEqual(expect.arrayContaining(['node', 'binary']));
  });

  it('BA-8 finds nothing where there is nothing', async () => {
    const { programs, runtimes } = await detectRuntimes({ path: makeFolder() });
    expect(Object.values(programs)).toEqual(Object.values(programs).map(() => null));
    expect(runtimes).toEqual(['binary']);
  });

  it('BA-8 a program that fails or says nothing useful does not stop the others', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'docker'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    writeFileSync(join(folder, 'uvx'), '#!/bin/sh\necho "uvx 0.8.1 (abc 2025-01-01)"\n', { mode: 0o755 });
    writeFileSync(join(folder, 'openclaw'), '#!/bin/sh\necho hello\n', { mode: 0o755 });
    const { programs, runtimes } = await detectRuntimes({ path: folder });
    expect(programs).toMatchObject({
      docker: null,
      uvx: { command: 'uvx', version: '0.8.1' },
      openclaw: { version: null },
    });
    expect(runtimes).toEqual(['binary', 'mcp-server']);
  });

  it('BV-5 finds runtimes without starting a program; a folder or a text of that name is none', () => {
    const folder = makeFolder({ npx: 'not for running\n' });
    const proof = join(folder, 'started');
    writeFileSync(join(folder, 'python'), `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
    mkdirSync(join(folder, 'docker'));
    expect(findRuntimes({ path: `${join(folder, 'none')}${delimiter}${folder}` })).toEqual(['python', 'binary']);
    expect(existsSync(proof)).toBe(false);
    expect(findRuntimes({ path: '' })).toEqual(['binary']);
    expect(findRuntimes()).toContain('node');
  });
});

describe('BA-1 content that cannot be had', () => {
  const locked = (mirror: Record<string, unknown>) => {
    const kits = (researchBundle().kits as { id: string }[]).map((kit) =>
      kit.id === 'notes' ? { ...kit, mirror: { source: 'roleos-mirror://official', ...mirror } } : kit,
    );
    return { manifest: researchBundle({ kits }), kitFiles: undefined };
  };
  const SHORT = { digest: 'sha256:a1b2c3d4' };
  const LONG = { digest: `sha256:${'a'.repeat(64)}` };

  it.each([
    ['a short digest (the seed’s own example)', SHORT, 'DIGEST_TOO_SHORT'],
    ['a mirror that nobody configured', LONG, 'MIRROR_INVALID'],
  ])('BA-1 %s: the plan is shown without it, with the reason, and activation is refused', async (_, mirror, reason) => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const wanted = { ...input(root), ...locked(mirror) };
    const result = await previewBundle(wanted);
    if (!result.ok) throw new Error('invalid');
    expect(result.missing).toContainEqual(
      expect.objectContaining({ code: 'KIT_CONTENT_MISSING', kit: 'notes', reason, message: expect.any(String) }),
    );
    expect(result.reply.preview.files).toContainEqual({ path: 'AGENTS.md', action: 'modify' });
    expect(result.reply.markdown).toContain('## Missing');
    await expect(activateBundle({ ...wanted, planDigest: result.plan.planDigest })).rejects.toMatchObject({
      code: reason,
    });
    expect(takePicture(root)).toEqual(before);
    const chinese = await previewBundle({ ...wanted, locale: 'zh-CN' });
    expect(chinese.ok && chinese.reply.markdown).toMatch(/## 尚缺\n\n- 尚未从 /);
  });

  it('BA-1 a mirror that does not answer: MIRROR_UNAVAILABLE', async () => {
    const wanted = {
      ...input(makeFolder(PERSONS)),
      ...locked(LONG),
      mirrors: { official: { url: 'https://mirror.example' } },
      fetch: () => Promise.reject(new Error('down')),
    };
    const result = await previewBundle(wanted);
    expect(result).toMatchObject({ ok: true, missing: [{ kit: 'notes', reason: 'MIRROR_UNAVAILABLE' }] });
  });

  it('BV-3 digest mismatch: content that is not what was locked stays an error of level 3', async () => {
    const { manifest } = locked(LONG);
    const result = await previewBundle({ ...input(makeFolder(PERSONS)), manifest });
    expect(result).toMatchObject({ ok: false, failure: { code: 'BUNDLE_INVALID' } });
  });
});
