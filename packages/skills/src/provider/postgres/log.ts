import { Logger } from 'graphile-worker';

/** graphile-worker reports through errors and events; its log lines could contain payloads. */
export const SILENT = new Logger(() => () => {});
