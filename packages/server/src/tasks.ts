import type { TaskList } from 'graphile-worker';
import type { Platform } from './platform.ts';

/** The jobs of all rooms. */
export function createTasks(_platform: Platform): TaskList {
  return {};
}
