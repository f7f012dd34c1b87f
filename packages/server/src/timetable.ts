import { parseCrontab } from 'graphile-worker';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const TICK_MS = 10_000;

export interface TimetableOptions {
  /** Lines of a crontab, in UTC. */
  readonly lines: readonly string[];
  /** Adds a job that was due at this time. It is called again until it succeeds. */
  readonly add: (task: string, due: Date) => Promise<void>;
  readonly now: () => Date;
  readonly onProblem: (error: unknown) => void;
}

export interface Timetable {
  /** Adds what has become due. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Adds jobs at fixed times. graphile-worker has a timetable of its own, but that one ends the whole process if the
 * database is away at such a time: it forgets a promise that is then rejected (0.16.6).
 */
export function startTimetable({ lines, add, now, onProblem }: TimetableOptions): Timetable {
  const items = parseCrontab(lines.join('\n'));
  const minuteOf = (time: Date) => Math.floor(time.getTime() / MINUTE_MS);
  const due = new Map<string, Date>();
  let last = minuteOf(now());
  let running: Promise<void> | undefined;

  const collect = (): void => {
    const current = minuteOf(now());
    // A clock that jumped makes everything due once, not once for each day.
    for (let minute = Math.max(last + 1, current - DAY_MINUTES); minute <= current; minute++) {
      const time = new Date(minute * MINUTE_MS);
      for (const { task, match } of items) if (match(digest(time))) due.set(task, time);
    }
    last = current;
  };
  const addAll = async (): Promise<void> => {
    collect();
    for (const [task, time] of due) {
      await add(task, time);
      due.delete(task);
    }
  };
  const tick = (): Promise<void> => {
    running ??= addAll()
      .catch(onProblem)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = setInterval(() => void tick(), TICK_MS);
  timer.unref();
  return {
    tick,
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

function digest(time: Date) {
  return {
    min: time.getUTCMinutes(),
    hour: time.getUTCHours(),
    date: time.getUTCDate(),
    month: time.getUTCMonth() + 1,
    dow: time.getUTCDay(),
  };
}
