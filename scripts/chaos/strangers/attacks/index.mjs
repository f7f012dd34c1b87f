import { CONNECTION_ATTACKS } from './connections.mjs';
import { CROWD_ATTACKS } from './crowds.mjs';
import { GROUP_ATTACKS } from './groups.mjs';
import { LOGIN_ATTACKS } from './logins.mjs';
import { MANIFEST_ATTACKS } from './manifests.mjs';
import { MEMORY_ATTACKS } from './memory.mjs';
import { RETENTION_ATTACKS } from './retention.mjs';
import { SOCKET_ATTACKS } from './sockets.mjs';
import { WEBHOOK_ATTACKS } from './webhooks.mjs';

/**
 * Each has a name, what it does in a few words, `prepare` (before anything is measured) and `run`, which ends by itself or is
 * ended with its process. Some need a smaller server: see `startAlone`.
 */
export const ATTACKS = [
  ...SOCKET_ATTACKS,
  ...CROWD_ATTACKS,
  ...WEBHOOK_ATTACKS,
  ...GROUP_ATTACKS,
  ...MANIFEST_ATTACKS,
  ...LOGIN_ATTACKS,
  ...MEMORY_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...RETENTION_ATTACKS,
];
