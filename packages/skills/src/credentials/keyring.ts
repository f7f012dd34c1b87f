import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keyringError } from '../errors.ts';
import { readCredentials } from './read.ts';
import { type CredentialMap, type CredentialStore, type OriginCredentials, withTokens } from './store.ts';

export interface Keyring extends CredentialStore {
  origins(): Promise<readonly string[]>;
  /** With undefined, it removes the credentials of an origin. */
  set(origin: string, credentials: OriginCredentials | undefined): Promise<void>;
}

/** Keeps credentials by origin in a file that only its owner can read. A missing file is an empty keyring. */
export function openKeyring(path: string): Keyring {
  // Changes run one after the other; each reads the file again, because another process may have written it.
  let last: Promise<unknown> = Promise.resolve();
  const change = (edit: (map: CredentialMap) => CredentialMap | undefined): Promise<boolean> => {
    const next = last.then(async () => {
      const edited = edit(await readFile(path));
      if (edited !== undefined) await writeFile(path, edited);
      return edited !== undefined;
    });
    last = next.catch(() => {});
    return next;
  };
  const put = (map: CredentialMap, origin: string, credentials: OriginCredentials | undefined): CredentialMap => {
    const { [origin]: _, ...others } = map;
    return credentials === undefined ? others : { ...others, [origin]: credentials };
  };
  return {
    find: async (origin) => {
      await last;
      const map = await readFile(path);
      return Object.hasOwn(map, origin) ? map[origin] : undefined;
    },
    origins: async () => Object.keys(await readFile(path)),
    set: async (origin, credentials) => {
      if (!URL.canParse(origin) || new URL(origin).origin !== origin) throw new TypeError('set: origin is none');
      const text = JSON.stringify({ [origin]: credentials ?? {} });
      if (readCredentials(text) === undefined) throw new TypeError('set: credentials are not usable');
      await change((map) => put(map, origin, credentials));
    },
    saveTokens: (origin, tokens, tokenUrl) =>
      change((map) => {
        const updated = withTokens(Object.hasOwn(map, origin) ? map[origin] : undefined, tokens, tokenUrl);
        return updated === undefined ? undefined : put(map, origin, updated);
      }),
  };
}

async function readFile(path: string): Promise<CredentialMap> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    if (code === 'ELOOP') throw keyringError('KEYRING_UNSAFE', { params: { source: path } });
    throw error;
  }
  try {
    // This checks the open file, because the path may lead to another one by now.
    const stat = await file.stat();
    const foreign = process.getuid !== undefined && stat.uid !== process.getuid();
    if (!stat.isFile() || foreign || (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)) {
      throw keyringError('KEYRING_UNSAFE', { params: { source: path } });
    }
    const map = readCredentials(await file.readFile());
    if (map === undefined) throw keyringError('KEYRING_INVALID', { params: { source: path } });
    return map;
  } finally {
    await file.close();
  }
}

/** A reader sees the old file or the new one, also after a power cut. */
async function writeFile(path: string, map: CredentialMap): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = join(dirname(path), `.${randomBytes(8).toString('hex')}.keyring`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(map, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
