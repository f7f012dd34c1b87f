import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBundle } from '@parley/documents/bundle';
import type { GuardedFetch } from '@parley/guarded-fetch';
import { describe, expect, it, vi } from 'vitest';
import { activatePrepared, buildMirrorIndex, digestFiles, previewBundle } from '../src/index.ts';
import { project } from '../src/project/project.ts';
import { tinyBundle } from './harness/bundle.ts';
import { makeFolder, PERSONS } from './harness/workspace.ts';

const SKILL = Buffer.from('---\nname: weather\n---\n');
const FILES = [{ path: 'SKILL.md', bytes: SKILL }];
const ANSWERS: Record<string, Uint8Array> = {
  'https://mirror.example/weather/index.json': Buffer.from(JSON.stringify(buildMirrorIndex(FILES))),
  'https://mirror.example/weather/files/SKILL.md': SKILL,
};

/** Counts how often its members are listed: whoever validates or projects a bundle has to. */
function countLists(manifest: Record<string, unknown>) {
  const counted = { lists: 0, manifest };
  counted.manifest = new Proxy(manifest, {
    ownKeys: (target) => {
      counted.lists += 1;
      return Reflect.ownKeys(target);
    },
  });
  return counted;
}

function setUp() {
  const root = makeFolder(PERSONS);
  const fetch = vi.fn<GuardedFetch>(async (url) => {
    const body = ANSWERS[url];
    return {
      status: body === undefined ? 404 : 200,
      headers: {},
      body: Buffer.from(body ?? ''),
      truncated: false,
      url,
    };
  });
  const mirror = { source: 'roleos-mirror://official', digest: `sha256:${digestFiles(FILES)}` };
  const kits = [{ id: 'weather', label: 'Weather', capabilities: ['Forecast'], mirror }];
  const mirrors = { official: { url: 'https://mirror.example/' } };
  const counted = countLists(tinyBundle({ kits }));
  const input = { manifest: counted.manifest, roots: { workspace: root }, mirrors, fetch };
  return { root, fetch, counted, input };
}

async function preview(input: Parameters<typeof previewBundle>[0]) {
  const result = await previewBundle(input);
  if (!result.ok) throw new Error('invalid');
  return result;
}

describe('BA-2 a preview and the activation of it', () => {
  it('BA-2 download, validate and project once, and install what was previewed', async () => {
    const { root, fetch, counted, input } = setUp();
    const { bundle } = readBundle(counted.manifest);
    project({ bundle: bundle!, kitFiles: new Map(), locale: 'en' }, 'openclaw');
    const once = counted.lists;
    expect(once).toBeGreaterThan(1);
    counted.lists = 0;
    const { prepared, plan } = await preview(input);
    expect(await activatePrepared(prepared, { planDigest: plan.planDigest })).toMatchObject({ ok: true });
    expect(fetch.mock.calls.map(([url]) => url).sort()).toEqual(Object.keys(ANSWERS).sort());
    expect(counted.lists).toBe(once);
    for (const { path, after, kind } of plan.operations) {
      const installed = readFileSync(join(root, path));
      if (kind === 'own') expect(createHash('sha256').update(installed).digest('hex')).toBe(after);
    }
    expect(readFileSync(join(root, 'skills/weather/SKILL.md'))).toEqual(SKILL);
  });

  it('BA-2 a file that changed in between is noticed, without any of that', async () => {
    const { root, fetch, counted, input } = setUp();
    const { prepared, plan } = await preview(input);
    fetch.mockClear();
    counted.lists = 0;
    writeFileSync(join(root, 'AGENTS.md'), 'edited\n');
    expect(await activatePrepared(prepared, { planDigest: plan.planDigest })).toMatchObject({
      ok: false,
      failure: { code: 'PLAN_CHANGED', planDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    });
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe('edited\n');
    expect([fetch.mock.calls.length, counted.lists]).toEqual([0, 0]);
  });

  it('BA-2 a preview without the content of a kit cannot be activated', async () => {
    const { root, input } = setUp();
    const { prepared, plan } = await preview({ ...input, mirrors: {} });
    await expect(activatePrepared(prepared, { planDigest: plan.planDigest })).rejects.toMatchObject({
      code: 'MIRROR_INVALID',
      params: { kit: 'weather' },
    });
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe(PERSONS['AGENTS.md']);
  });
});
