import type { Locale } from '@parley/base';
import { digestFiles, type KitFile, type MirrorIndex, matchesDigest } from '@parley/bundles';
import { canonicalise, hashCanonical, type Json } from '@parley/documents';
import { type Bundle, type BundleDiff, bundleRisk, toFindingReply } from '@parley/documents/bundle';
import { compareVersions } from '@parley/documents/skill';
import { sql } from 'kysely';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { RequestError } from '../http/request-error.ts';
import { type ComparedWith, comparePublished, type PublishedVersion, requireCompared } from '../manifests/published.ts';
import type { Platform } from '../platform.ts';
import { toVector } from '../search/terms.ts';
import type { Db, Trx } from '../storage/database.ts';
import { readFiles, storeFiles, type UploadedFile } from './files.ts';
import { invalidBundle } from './wire.ts';

const MAX_VERSIONS = 1_000;
const MAX_BUNDLES = 200;
/** The version is part of an address, so its length is bounded. */
const MAX_VERSION = 100;
/** Search shows excerpts: a page of results must not be as large as its manifests. */
const SHOWN = { name: 200, summary: 1_000, tag: 64, tags: 50 };

export interface Publication {
  readonly manifest: unknown;
  readonly kits: Readonly<Record<string, readonly UploadedFile[]>>;
  readonly ownerId: string;
  readonly locale: Locale;
}

/**
 * Publishes a version, which never changes; publishing the same content again changes nothing. The first publisher owns
 * the id. It is compared with the highest lower version before the transaction (OP-5).
 */
export async function publishBundle(platform: Platform, publication: Publication) {
  const { manifest, ownerId, locale } = publication;
  const kits = new Map(Object.entries(publication.kits).map(([id, files]) => [id, readFiles(id, files)]));
  const kitDigests = new Map([...kits].map(([id, files]) => [id, `sha256:${digestFiles(files)}`]));
  const job = { text: JSON.stringify(manifest), locale, kitDigests };
  const { bundle, validation } = await platform.manifests.checkBundle(ownerId, job);
  if (bundle === undefined || !validation.valid) throw invalidBundle(validation);
  if (bundle.version.length > MAX_VERSION)
    throw new RequestError('BAD_REQUEST', {}, { details: { violations: [{ in: 'body', path: '/manifest/version' }] } });
  checkKits(bundle, kits);
  const digest = `sha256:${hashCanonical({ manifest, kits: Object.fromEntries(kitDigests) } as unknown as Json)}`;
  const text = canonicalise(manifest as Json);
  const files = [...kits.values()].flat().reduce((sum, { bytes }) => sum + bytes.length, 0);
  await platform.budgets.reserveBytes(ownerId, ROW_BYTES.bundle + ROW_BYTES.version + text.length + files);
  const { db } = platform;
  const read = JSON.stringify(bundle);
  const changes = await comparePublished({
    version: bundle.version,
    listVersions: () => listOwnVersions(db, ownerId, bundle.id),
    diff: (below) =>
      platform.manifests.diffBundles(ownerId, {
        before: below.digest,
        after: digest,
        locale,
        readTexts: async () => ({ before: await readText(db, bundle.id, below.version), after: read }),
      }),
    publish: (compared) => publish(platform, { bundle, text, kits, digest, ownerId }, compared),
  });
  return {
    id: bundle.id,
    version: bundle.version,
    digest,
    changes: changes.map(({ code, path, consent, message }) => ({ code, path, consent, message })),
    warnings: validation.warnings.map(toFindingReply),
  };
}

function publish(platform: Platform, publication: Stored, compared: ComparedWith<BundleDiff>) {
  const { bundle, ownerId, digest } = publication;
  return platform.db.transaction().execute(async (trx) => {
    await lockBundle(trx, platform, { bundle, ownerId, digest });
    // Without their manifests, which may be very large together (OP-6).
    const versions = await trx
      .selectFrom('bundle_versions')
      .select(['version', 'digest'])
      .where('bundle_id', '=', bundle.id)
      .execute();
    const same = versions.find(({ version }) => compareVersions(version, bundle.version) === 0);
    if (same?.digest === digest) return [];
    if (same !== undefined) throw new RequestError('VERSION_EXISTS', { version: bundle.version });
    if (versions.length >= MAX_VERSIONS) throw new RequestError('LIMIT_REACHED', { limit: MAX_VERSIONS });
    const diff = requireCompared(compared, versions, bundle.version);
    await store(trx, platform, publication);
    return diff?.changes ?? [];
  });
}

/** None of a bundle that is someone else's. */
function listOwnVersions(db: Db, ownerId: string, bundleId: string): Promise<PublishedVersion[]> {
  return db
    .selectFrom('bundle_versions as v')
    .innerJoin('bundles as b', 'b.id', 'v.bundle_id')
    .select(['v.version', 'v.digest'])
    .where('v.bundle_id', '=', bundleId)
    .where('b.owner_id', '=', ownerId)
    .execute();
}

/** Files must belong to a kit of the bundle and, where the kit names a digest, match it (BV-3). */
function checkKits(bundle: Bundle, kits: ReadonlyMap<string, readonly KitFile[]>): void {
  for (const [id, files] of kits) {
    const kit = (bundle.kits ?? []).find((candidate) => candidate.id === id);
    if (kit === undefined) throw new RequestError('MIRROR_INVALID', { kit: id, reason: 'the bundle has no such kit' });
    if (kit.mirror !== undefined && !matchesDigest(kit.mirror.digest, digestFiles(files)))
      throw new RequestError('DIGEST_MISMATCH', { kit: id });
  }
}

/** Locks the bundle's row, which its first publisher creates; throws FORBIDDEN for anyone else. */
async function lockBundle(
  trx: Trx,
  { now }: Platform,
  { bundle, ownerId, digest }: { bundle: Bundle; ownerId: string; digest: string },
): Promise<void> {
  const { numInsertedOrUpdatedRows: made } = await trx
    .insertInto('bundles')
    .values({ ...columnsOf(bundle), id: bundle.id, owner_id: ownerId, version: null, digest, updated_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  const row = await trx
    .selectFrom('bundles')
    .select('owner_id')
    .where('id', '=', bundle.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.owner_id !== ownerId) throw new RequestError('FORBIDDEN');
  const { count } = await trx
    .selectFrom('bundles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  if (made && Number(count) > MAX_BUNDLES) throw new RequestError('LIMIT_REACHED', { limit: MAX_BUNDLES });
}

interface Stored {
  readonly bundle: Bundle;
  /** The canonical manifest. */
  readonly text: string;
  readonly kits: ReadonlyMap<string, readonly KitFile[]>;
  readonly digest: string;
  readonly ownerId: string;
}

async function store(trx: Trx, { now }: Platform, { bundle, text, kits, digest, ownerId }: Stored): Promise<void> {
  const indexes: Record<string, MirrorIndex> = {};
  for (const [id, files] of kits) indexes[id] = (await storeFiles(trx, files, ownerId)).index;
  const created_at = now();
  await trx
    .insertInto('bundle_versions')
    .values({
      bundle_id: bundle.id,
      version: bundle.version,
      manifest: text,
      kits: JSON.stringify(indexes),
      digest,
      created_at,
    })
    .execute();
  await refresh(trx, bundle.id, created_at);
}

/** Derives what search shows from the versions that were not yanked. */
export async function refresh(trx: Trx, bundleId: string, now: Date): Promise<void> {
  const rows = await trx
    .selectFrom('bundle_versions')
    .select(['version', 'digest'])
    .where('bundle_id', '=', bundleId)
    .where('yanked', '=', false)
    .execute();
  const sorted = rows.sort((a, b) => compareVersions(a.version, b.version));
  // A release is preferred to a later pre-release.
  const shown = sorted.filter(({ version }) => !/^[^+]*-/.test(version)).at(-1) ?? sorted.at(-1);
  await trx
    .updateTable('bundles')
    .set({
      version: shown?.version ?? null,
      ...(shown === undefined
        ? {}
        : { ...columnsOf(await readManifest(trx, bundleId, shown.version)), digest: shown.digest }),
      updated_at: now,
    })
    .where('id', '=', bundleId)
    .execute();
}

async function readManifest(trx: Trx, bundleId: string, version: string): Promise<Bundle> {
  return JSON.parse(await readText(trx, bundleId, version)) as Bundle;
}

async function readText(db: Db | Trx, bundleId: string, version: string): Promise<string> {
  const { manifest } = await db
    .selectFrom('bundle_versions')
    .select('manifest')
    .where('bundle_id', '=', bundleId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return manifest;
}

function columnsOf(bundle: Bundle) {
  const { id, name, summary, description, author, category, tags = [], roles, kits = [] } = bundle;
  const vector = toVector([
    ['A', [name, id]],
    ['B', [summary, ...tags, ...(category === undefined ? [] : [category])]],
    ['C', [...roles.map(({ label }) => label), ...kits.map(({ label }) => label)]],
    [
      'D',
      [
        ...(description === undefined ? [] : [description]),
        ...(author === undefined ? [] : [author]),
        ...kits.flatMap(({ capabilities }) => capabilities),
      ],
    ],
  ]);
  return {
    name: cut(name, SHOWN.name),
    summary: cut(summary, SHOWN.summary),
    author: author === undefined ? null : cut(author, SHOWN.name),
    category: category === undefined ? null : cut(category, SHOWN.name),
    tags: [...new Set(tags)].filter((tag) => tag.length <= SHOWN.tag).slice(0, SHOWN.tags),
    risk: bundleRisk(bundle),
    search: sql<string>`${vector}::tsvector`,
  };
}

/** Cuts between characters, never within one. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${[...text.slice(0, 2 * length)].slice(0, length).join('')}…`;
