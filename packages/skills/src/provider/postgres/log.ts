import { Logger } from 'graphile-worker';

/** What it has to say is said by errors and events; its own lines may hold payloads. */
export const SILENT = new Logger(() => () => {});
