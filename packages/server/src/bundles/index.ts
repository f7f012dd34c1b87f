import { readAcceptLanguage } from '@parley/base';
import { toValidationReply } from '@parley/documents/bundle';
import { bundleRoutes } from '@parley/protocol';
import { accountOf, type Caller, requireHuman } from '../http/caller.ts';
import { networkOf } from '../http/network-of.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { readRankCursor } from '../search/rank-cursor.ts';
import { readFile } from './files.ts';
import { putKit, readKit } from './mirror.ts';
import { publishBundle } from './publish.ts';
import { findOpenVersion, readBundle, searchBundles, setYanked } from './read.ts';
import { addWorkspaces } from './workspaces.ts';

const PAGE = '20';
const FOREVER = 'public, max-age=31536000, immutable';

export function registerBundles(router: Router, platform: Platform): void {
  router.addWithoutTurn(bundleRoutes.validateBundle, async ({ caller, body: { manifest }, headers, address }) => {
    const who = caller.kind === 'anonymous' ? networkOf(address) : accountOf(caller);
    const job = { text: JSON.stringify(manifest), locale: readAcceptLanguage(headers['accept-language']) };
    return toValidationReply((await platform.manifests.checkBundle(who, job)).validation);
  });
  addWorkspaces(router, platform);
  addRegistry(router, platform);
  addMirror(router, platform);
}

function addRegistry(router: Router, platform: Platform): void {
  const { db } = platform;
  router.add(bundleRoutes.publishBundle, async ({ caller, body: { manifest, kits = {} }, headers }) =>
    publishBundle(platform, {
      manifest,
      kits,
      ownerId: requireHuman(caller).accountId,
      locale: readAcceptLanguage(headers['accept-language']),
    }),
  );
  router.add(bundleRoutes.searchBundles, async ({ caller, query }) => {
    const { q, tag, category, mine, cursor, limit = PAGE } = query;
    return searchBundles(platform, {
      text: q,
      tag,
      category,
      ownerId: mine === 'true' ? requireHuman(caller).accountId : undefined,
      readerId: readerOf(caller),
      after: cursor === undefined ? undefined : readRankCursor(cursor),
      limit: Number(limit),
    });
  });
  router.add(bundleRoutes.readBundle, async ({ caller, params }) =>
    readBundle(db, params.bundle_id, { readerId: readerOf(caller) }),
  );
  router.add(bundleRoutes.readBundleVersion, async ({ caller, params, setHeader }) => {
    const bundle = await readBundle(db, params.bundle_id, { readerId: readerOf(caller), version: params.version });
    setHeader('etag', `"${bundle.digest}"`);
    return bundle;
  });
  router.add(bundleRoutes.yankBundleVersion, async ({ caller, params, body: { yanked } }) =>
    setYanked(platform, {
      accountId: requireHuman(caller).accountId,
      bundleId: params.bundle_id,
      version: params.version,
      yanked,
    }),
  );
  router.add(bundleRoutes.readBundleFile, async ({ params, setHeader }) => {
    const { bundle_id, version, kit_id, '*': path } = params;
    const row = await findOpenVersion(db, bundle_id, version);
    const kits = (row?.kits ?? {}) as Record<string, never>;
    const { data, sha256 } = await readFile(db, Object.hasOwn(kits, kit_id) ? kits[kit_id] : undefined, path);
    asBytes(setHeader, sha256);
    return data;
  });
}

function addMirror(router: Router, platform: Platform): void {
  const { db } = platform;
  router.add(bundleRoutes.putMirror, async ({ caller, params, body }) => {
    if (requireHuman(caller).role !== 'admin') throw new RequestError('FORBIDDEN');
    return putKit(platform, params, body.files);
  });
  router.add(bundleRoutes.readMirrorIndex, async ({ params }) => readKit(db, params) as never);
  router.add(bundleRoutes.readMirrorFile, async ({ params, setHeader }) => {
    const { slug, version, '*': path } = params;
    const { data, sha256 } = await readFile(db, await readKit(db, { slug, version }), path);
    asBytes(setHeader, sha256);
    return data;
  });
}

/** The file is someone else's: a browser must store it, not show it. */
function asBytes(setHeader: (name: string, value: string) => void, sha256: string): void {
  setHeader('content-type', 'application/octet-stream');
  setHeader('content-disposition', 'attachment');
  setHeader('content-security-policy', "default-src 'none'; sandbox");
  setHeader('etag', `"${sha256}"`);
  setHeader('cache-control', FOREVER);
}

const readerOf = (caller: Caller) => (caller.kind === 'human' ? caller.accountId : undefined);
