import { existsSync } from 'node:fs';
import { toBase64Url } from '@parley/e2ee';
import { loadOwnKeys } from '@parley/messenger';
import { openFileStore } from '@parley/messenger/node';
import { authRoutes } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import { chooseServer } from '../account/server-url.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { deviceFolder } from './folder.ts';

export async function whoami(options: { readonly url?: string }, words: Words): Promise<CommandResult> {
  const baseUrl = chooseServer(options.url);
  const folder = deviceFolder(baseUrl);
  const me = await openAccountApi(baseUrl, 'parley').call(authRoutes.me);
  const deviceKey = await readDeviceKey(folder);
  const shown = { url: baseUrl, name: displayName(me.display_name), email: displayName(me.email) };
  const lines = [
    words.say('account.signed_in', shown),
    words.say('device.account_id', { id: me.user_id }),
    words.say(existsSync(folder) ? 'device.folder' : 'device.no_folder', { folder }),
    ...(deviceKey === undefined ? [] : [words.say('device.key', { key: deviceKey })]),
  ];
  return {
    exit: EXIT.fine,
    json: {
      server: baseUrl,
      user_id: me.user_id,
      email: me.email,
      display_name: me.display_name,
      role: me.role,
      device_folder: existsSync(folder) ? folder : null,
      device_key: deviceKey ?? null,
    },
    text: () => `${lines.join('\n')}\n`,
  };
}

/** The key that others verify exports of the audit log with. It is unknown while `parley chat` holds the keystore. */
async function readDeviceKey(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  try {
    const store = await openFileStore(folder);
    try {
      const keys = await loadOwnKeys(store);
      return keys && toBase64Url(keys.identity.publicKey);
    } finally {
      await store.close();
    }
  } catch {
    return undefined;
  }
}
