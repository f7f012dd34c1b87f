import type { Logger } from 'pino';
import type { Passwords } from './accounts/password.ts';
import type { Tail } from './agent-events/recorder.ts';
import type { ServerConfig } from './config.ts';
import type { Bus } from './events/bus.ts';
import type { Events } from './events/events.ts';
import type { Jobs } from './jobs.ts';
import type { Metrics } from './metrics.ts';
import type { Db, Storage } from './storage/database.ts';

/** What every room stands on. Rooms take it whole; what they make of each other, they take by name. */
export interface Platform {
  readonly config: ServerConfig;
  readonly storage: Storage;
  readonly db: Db;
  readonly bus: Bus;
  readonly events: Events;
  readonly tail: Tail;
  readonly jobs: Jobs;
  readonly metrics: Metrics;
  readonly passwords: Passwords;
  readonly log: Logger;
  readonly now: () => Date;
}
