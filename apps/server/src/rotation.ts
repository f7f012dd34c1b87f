import { existsSync } from 'node:fs';
import { resealWebhookSecrets } from '@parley/server/secrets';
import type { Settings } from './environment.ts';
import { startError } from './errors.ts';
import {
  describeSecrets,
  loadSecrets,
  prepareSecrets,
  retireSecrets,
  rotateSecrets,
  type SecretsState,
  secretsFile,
} from './secrets.ts';
import { readState } from './state.ts';
import { withDatabase } from './with-database.ts';

/** The secrets of a server's folder, and whether a server that runs must be restarted to use them as the file says. */
export interface RotationState extends SecretsState {
  readonly restartNeeded: boolean;
}

export function readRotation({ dataDir }: Settings): RotationState {
  requireSecrets(dataDir);
  const secrets = describeSecrets(dataDir);
  return { ...secrets, restartNeeded: findOutdated(dataDir, secrets) !== undefined };
}

export function prepareRotation(settings: Settings): RotationState {
  requireSecrets(settings.dataDir);
  prepareSecrets(settings.dataDir);
  return readRotation(settings);
}

export function rotate(settings: Settings): RotationState {
  requireSecrets(settings.dataDir);
  rotateSecrets(settings.dataDir, new Date());
  return readRotation(settings);
}

/** What the ones before have sealed is sealed anew first. Returns false if there is nothing to retire. */
export async function retire(settings: Settings): Promise<boolean> {
  const { dataDir } = settings;
  requireSecrets(dataDir);
  const state = describeSecrets(dataDir);
  if (!state.rotating) return false;
  const pid = findOutdated(dataDir, state);
  if (pid !== undefined) throw startError('SECRETS_NOT_LOADED', { params: { pid } });
  await withDatabase(settings, (url) => resealWebhookSecrets(url, loadSecrets(dataDir)));
  return retireSecrets(dataDir);
}

/** Finds the server of this folder if it has loaded other secrets than there are now. */
function findOutdated(dataDir: string, { generation }: SecretsState): number | undefined {
  const state = readState(dataDir);
  if (state === undefined || !('startedAt' in state)) return undefined;
  return (state.secretsGeneration ?? 0) === generation ? undefined : state.pid;
}

function requireSecrets(dataDir: string): void {
  if (!existsSync(secretsFile(dataDir))) throw startError('SECRETS_MISSING', { params: { folder: dataDir } });
}
