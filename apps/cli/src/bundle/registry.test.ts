import { createHash } from 'node:crypto';
import { digestFiles } from '@parley/bundles';
import { hashCanonical, type Json } from '@parley/documents';
import type { GuardedFetch } from '@parley/guarded-fetch';
import type { Api } from '@parley/messenger';
import { describe, expect, test } from 'vitest';
import { downloadBundle } from './registry.ts';

const MANIFEST = { id: 'team', version: '1.0.0' };
const FILE = Buffer.from('hello\n');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Creates a registry that serves one kit; a test may replace parts of the reply. */
function makeRegistry(
  changes: { path?: string; body?: Buffer; manifest?: object; digest?: string; size?: number } = {},
) {
  const { path = 'lib/a.js', body = FILE, manifest = MANIFEST, size = FILE.length } = changes;
  const kits = { notes: `sha256:${digestFiles([{ path, bytes: FILE }])}` };
  const digest = changes.digest ?? `sha256:${hashCanonical({ manifest, kits } as unknown as Json)}`;
  const asked: string[] = [];
  const fetch: GuardedFetch = async (url) => {
    asked.push(url);
    return { status: 200, headers: {}, body, truncated: false, url };
  };
  const detail = {
    manifest,
    version: '1.0.0',
    digest,
    owner: { user_id: 'u', display_name: 'Ada' },
    yanked: false,
    kits: { notes: { version: 1, files: [{ path, sha256: sha256(FILE), size, executable: false }] } },
    versions: [],
  };
  const api = { baseUrl: 'https://registry.example', call: async () => detail } as unknown as Api;
  const signal = new AbortController().signal;
  return { asked, download: (version?: string) => downloadBundle(api, { id: 'team', version, fetch, signal }) };
}

describe('BA-6 what a registry sends', () => {
  test('BA-6 is taken if every file and the whole are what their digests say', async () => {
    const { download, asked } = makeRegistry();
    const { kitFiles, origin } = await download('1.0.0');
    expect(kitFiles.get('notes')).toEqual([{ path: 'lib/a.js', bytes: FILE, executable: false }]);
    expect(origin).toMatchObject({ registry: 'https://registry.example', publisher: 'Ada', yanked: false });
    expect(asked).toEqual(['https://registry.example/bundles/team/versions/1.0.0/kits/notes/files/lib/a.js']);
  });

  test.each([
    ['zip-slip: a path that climbs out', { path: '../evil.js' }, 'MIRROR_INVALID'],
    ['an absolute path', { path: '/etc/passwd' }, 'MIRROR_INVALID'],
    ['another content than listed', { body: Buffer.from('evil!\n') }, 'MIRROR_INVALID'],
    ['more than anyone has room for', { size: 1e12 }, 'MIRROR_INVALID'],
    ['digest mismatch: a manifest that was exchanged', { digest: `sha256:${'0'.repeat(64)}` }, 'REGISTRY_INVALID'],
    ['another bundle than was asked for', { manifest: { id: 'other', version: '1.0.0' } }, 'REGISTRY_INVALID'],
    ['another version than was asked for', { manifest: { id: 'team', version: '0.9.0' } }, 'REGISTRY_INVALID'],
  ])('BA-6 attack: %s is refused', async (_, changes, code) => {
    await expect(makeRegistry(changes).download('1.0.0')).rejects.toMatchObject({ code });
  });
});
