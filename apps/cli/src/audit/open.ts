import { existsSync } from 'node:fs';
import { type AuditLog, openAuditLog } from '@parley/client';
import { toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { loadOwnKeys } from '@parley/messenger';
import { openFileStore } from '@parley/messenger/node';
import { chooseServer } from '../account/server-url.ts';
import { explainDevice } from '../device/explain.ts';
import { deviceFolder } from '../device/folder.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Words } from '../messages/index.ts';

export interface AuditOptions {
  readonly url?: string;
}

/** The log of the device of this machine, straight from its keystore. */
export async function withAudit<Result>(
  { url }: AuditOptions,
  words: Words,
  work: (log: AuditLog, publicKey: string) => Promise<Result>,
): Promise<Result> {
  const baseUrl = chooseServer(url);
  const folder = deviceFolder(baseUrl);
  const none = () => new Failure('NO_DEVICE', EXIT.bad, { key: 'audit.no_device', params: { url: baseUrl } });
  // Opening it would make it.
  if (!existsSync(folder)) throw none();
  try {
    const store = await openFileStore(folder);
    try {
      const keys = await loadOwnKeys(store);
      if (keys === undefined) throw none();
      const log = await openAuditLog({ store, crypto: nodeCrypto, identity: keys.identity });
      return await work(log, toBase64Url(keys.identity.publicKey));
    } finally {
      await store.close();
    }
  } catch (error) {
    throw explainDevice(error, words);
  }
}
