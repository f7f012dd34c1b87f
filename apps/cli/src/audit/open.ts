import { existsSync } from 'node:fs';
import { type AuditLog, openAuditLog } from '@parley/client';
import { toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { loadOwnKeys } from '@parley/messenger';
import { openFileStore } from '@parley/messenger/node';
import { chooseServer } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import { deviceFolder } from '../device/folder.ts';

export interface AuditOptions {
  readonly url?: string;
}

/** Opens the audit log of this machine's device directly from its keystore. */
export async function withAudit<Result>(
  { url }: AuditOptions,
  work: (log: AuditLog, publicKey: string) => Promise<Result>,
): Promise<Result> {
  const baseUrl = chooseServer(url);
  const folder = deviceFolder(baseUrl);
  const none = () => new CommandError('NO_DEVICE', { params: { url: baseUrl } });
  // Opening a keystore that does not exist would create it.
  if (!existsSync(folder)) throw none();
  const store = await openFileStore(folder);
  try {
    const keys = await loadOwnKeys(store);
    if (keys === undefined) throw none();
    const log = await openAuditLog({ store, crypto: nodeCrypto, identity: keys.identity });
    return await work(log, toBase64Url(keys.identity.publicKey));
  } finally {
    await store.close();
  }
}
