import type { Jobs } from './jobs.ts';
import type { Db, Trx } from './storage/database.ts';

/**
 * Starts the tasks that migrations have left behind, because they take long (OP-12). Each is there until it has succeeded,
 * whichever node ends meanwhile.
 */
export async function startBackfills({ db, jobs }: { readonly db: Db; readonly jobs: Jobs }): Promise<void> {
  const rows = await db.selectFrom('backfills').select('task').execute();
  // The key is that of the timetable: there is one such job, whoever adds it.
  for (const { task } of rows) await jobs.add(db, task, {}, { key: `timetable:${task}`, queue: `timetable:${task}` });
}

/** It is forgotten first: if a migration asks for it meanwhile, it runs again. */
export function runBackfill(db: Db, task: string, work: (trx: Trx) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await trx.deleteFrom('backfills').where('task', '=', task).execute();
    await work(trx);
  });
}
