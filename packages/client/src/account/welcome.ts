import { openWelcome, type PairedKeys, sealWelcome } from '@parley/e2ee';
import type { OwnKeysRecord, SeenList } from '@parley/messenger';
import { type DeviceStatement, DeviceStatement as DeviceStatementSchema, isValid, Type } from '@parley/protocol';
import { clientError } from '../errors.ts';
import { ownListEntries } from './own-list.ts';
import { foldOwnList } from './read-statements.ts';
import { type DeviceDeps, dropCode, loadCode, namesDevice, pairedKeys } from './register-device.ts';

/**
 * What a device tells one that it lets in (EE-16): so a fresh device knows what the account knows, and sees a ledger
 * that was rolled back or a pin that was swapped. The most important first: the rest is left out if it grows too large.
 */
const TOLD = [
  'pin/agent/',
  'pin/account/',
  'client/relation/',
  'pin/conversation/',
  'members/',
  'client/device-name/',
  'client/announced/',
  'list/',
] as const;
/** Sealed and encoded it stays below what the server takes. */
const MAX_CHARACTERS = 2_800_000;

const Welcome = Type.Object({
  version: Type.Literal(1),
  statements: Type.Array(DeviceStatementSchema),
  entries: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
});

export async function makeWelcome(
  { store, platform, userId }: Pick<DeviceDeps, 'store' | 'platform' | 'userId'>,
  { statements }: SeenList,
  to: PairedKeys & { code: string },
): Promise<string> {
  const entries: [string, string][] = [];
  let left = MAX_CHARACTERS - JSON.stringify(statements).length;
  for (const prefix of TOLD) {
    for (const [key, value] of await store.list(prefix)) {
      left -= key.length + value.length + 8;
      if (left < 0 || key === `pin/account/${userId}` || key === `list/${userId}`) continue;
      entries.push([key, value]);
    }
  }
  const plaintext = new TextEncoder().encode(JSON.stringify({ version: 1, statements, entries }));
  const sealed = sealWelcome(platform.crypto, plaintext, to);
  if (sealed === undefined) throw clientError('DEVICE_CODE');
  return sealed;
}

/**
 * Takes in what the device told that let this one in. False for a welcome that was not sealed where the code was typed:
 * a server that makes one up only makes this device wait.
 */
export async function acceptWelcome(
  deps: Pick<DeviceDeps, 'store' | 'platform' | 'userId'>,
  welcome: string,
  { deviceId, keys }: { deviceId: string; keys: OwnKeysRecord },
): Promise<boolean> {
  const { store, platform, userId } = deps;
  const code = await loadCode(deps);
  const plaintext = openWelcome(platform.crypto, welcome, { code, ...pairedKeys(userId, keys) });
  const told = plaintext && parse(plaintext);
  if (told === undefined) return false;
  const seen = foldOwnList(platform.crypto, userId, told.statements);
  if (!namesDevice(seen, deviceId, keys)) return false;
  const entries = told.entries.filter(([key]) => TOLD.some((prefix) => key.startsWith(prefix)));
  await store.write(new Map<string, string | null>([...entries, ...ownListEntries(userId, seen), dropCode]));
  return true;
}

function parse(plaintext: Uint8Array): { statements: DeviceStatement[]; entries: [string, string][] } | undefined {
  const value: unknown = JSON.parse(new TextDecoder().decode(plaintext));
  return isValid(Welcome, value) ? (value as never) : undefined;
}
