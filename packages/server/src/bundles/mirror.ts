import type { MirrorIndex } from '@parley/bundles';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Db } from '../storage/database.ts';
import { readFiles, storeFiles, type UploadedFile } from './files.ts';

interface Kit {
  readonly slug: string;
  readonly version: string;
}

/** Puts a kit into the mirror (BA-6). A version never changes; putting the same content again changes nothing. */
export async function putKit({ db, now }: Platform, { slug, version }: Kit, uploaded: readonly UploadedFile[]) {
  const files = readFiles(slug, uploaded);
  return db.transaction().execute(async (trx) => {
    const { index, digest } = await storeFiles(trx, files, null);
    await trx
      .insertInto('mirror_kits')
      .values({ slug, version, files: JSON.stringify(index), digest, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const stored = await trx
      .selectFrom('mirror_kits')
      .select('digest')
      .where('slug', '=', slug)
      .where('version', '=', version)
      .executeTakeFirstOrThrow();
    if (stored.digest !== digest) throw new RequestError('VERSION_EXISTS', { version });
    return { slug, version, digest };
  });
}

export async function readKit(db: Db, { slug, version }: Kit): Promise<MirrorIndex> {
  const row = await db
    .selectFrom('mirror_kits')
    .select('files')
    .where('slug', '=', slug)
    .where('version', '=', version)
    .executeTakeFirst();
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return row.files as MirrorIndex;
}
