import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { LogFile } from '../log/log-file.ts';
import { checkSchema, type Db } from '../storage/database.ts';

/** What each part says: `ok`, or why not: a code of the system or of Postgres, `timeout`, `not_migrated`, `outdated`. */
export type Checks = Readonly<Record<'database' | 'disk' | 'log', string>>;

export interface ReadinessDeps {
  /** A connection of its own: that all others are busy does not make a server unready. */
  readonly db: Db;
  readonly logFile: LogFile;
  readonly dataDir: string | undefined;
  readonly elapsed: () => number;
}

const OK = 'ok';
/** The answer comes within a second, whatever database and disk do (OP-9). */
export const ANSWER_MS = 900;
const REMEMBERED_MS = 1_000;

/** Finds out whether what a request needs can be read and written (OP-8). Asked often, it looks once a second. */
export function createReadiness(deps: ReadinessDeps): () => Promise<Checks> {
  let last: { readonly at: number; readonly checks: Promise<Checks> } | undefined;
  // One that hangs is not asked again before it has ended: a hundred would hang as well, each on a thread.
  const database = createCheck(() => checkDatabase(deps.db));
  const disk = createCheck(() => checkDisk(deps.dataDir));
  const look = async (): Promise<Checks> => {
    const [databaseSays, diskSays] = await Promise.all([database(), disk()]);
    return { database: databaseSays, disk: diskSays, log: deps.logFile.check() ?? OK };
  };
  return () => {
    const at = deps.elapsed();
    if (last === undefined || at - last.at >= REMEMBERED_MS) last = { at, checks: look() };
    return last.checks;
  };
}

export const isReady = (checks: Checks) => Object.values(checks).every((says) => says === OK);

function createCheck(run: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | undefined;
  return async () => {
    running ??= run()
      .catch((error: { code?: string; message?: string }) => error.code ?? error.message ?? 'unknown')
      .finally(() => {
        running = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, ANSWER_MS, 'timeout');
    });
    return Promise.race([running, late]).finally(() => clearTimeout(timer));
  };
}

/**
 * Writes what leaves nothing behind. The message goes to the write-ahead log, and is refused by a standby; the series
 * does not fit into memory and goes to a file, for which a full disk has no room although the log has.
 */
function checkDatabase(db: Db): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const schema = await checkSchema(trx);
    if (schema !== 'ok') return schema;
    await sql`set local work_mem = '64kB'`.execute(trx);
    await sql`select count(*) from generate_series(1, 10000)`.execute(trx);
    await sql`select pg_logical_emit_message(true, 'parley', 'ready')`.execute(trx);
    return OK;
  });
}

const PROBE = Buffer.alloc(64 * 1024);

async function checkDisk(folder: string | undefined): Promise<string> {
  if (folder === undefined) return OK;
  const file = join(folder, `ready.${process.pid}`);
  try {
    await writeFile(file, PROBE, { mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
  return OK;
}
