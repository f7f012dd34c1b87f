import { beforeAll, describe, expect, it } from 'vitest';
import { exportBackup, importBackup } from './backup.ts';
import { createMemoryStore } from './memory.ts';

const PASSPHRASE = 'correct horse battery staple';
const SECRET = 'the private key';

async function makeStore() {
  const store = createMemoryStore();
  await store.write(
    new Map([
      ['own/identity', SECRET],
      ['pin/1', '你好 \ud800'],
    ]),
  );
  return store;
}

async function restore(text: string, passphrase = PASSPHRASE) {
  const store = createMemoryStore();
  await importBackup(text, passphrase, store);
  return store.list('');
}

describe('EE-10 backup', () => {
  /** Each takes a second, on purpose. */
  let text: string;
  beforeAll(async () => {
    text = await exportBackup(await makeStore(), PASSPHRASE);
  });

  it('EE-10 comes back whole under the passphrase, with progress, in any form of its accents', async () => {
    const parts: number[] = [];
    const text = await exportBackup(await makeStore(), 'caf\u00e9 caf\u00e9 caf\u00e9', {
      onProgress: (part) => parts.push(part),
    });
    expect(parts.at(-1)).toBe(1);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    expect(await restore(text, 'cafe\u0301 cafe\u0301 cafe\u0301')).toEqual([
      ['own/identity', SECRET],
      ['pin/1', '你好 \ud800'],
    ]);
    expect(JSON.parse(text)).toMatchObject({ version: 1, kdf: { name: 'argon2id', m: 65536, t: 3, p: 4 } });
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('identity');
  });

  it('EE-10 leaves out what must not be set back: ratchets and prekeys would be used twice', async () => {
    const store = await makeStore();
    const momentary = ['peer/x', 'group/x', 'own/once/1', 'outbox/1', 'inbox/1', 'sent/1', 'client/session'];
    await store.write(new Map(momentary.map((key) => [key, 'of the moment'])));
    const text = await exportBackup(store, PASSPHRASE, { omit: ['client/session'] });
    const keys = (await restore(text)).map(([key]) => key);
    expect(keys).toEqual(['own/identity', 'pin/1']);
  });

  it('EE-10 wrong passphrase: refused in clear words, nothing written', async () => {
    const store = createMemoryStore();
    const refusal = importBackup(text, `${PASSPHRASE}!`, store);
    await expect(refusal).rejects.toMatchObject({ code: 'BACKUP_REFUSED' });
    await expect(refusal).rejects.toThrow('The passphrase is wrong, or the backup was changed.');
    expect(await store.list('')).toEqual([]);
  });

  it('EE-10 altered backup: any part of it is noticed', async () => {
    const backup = JSON.parse(text);
    const flip = (value: string, at: number) =>
      `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`;
    const altered = {
      BACKUP_REFUSED: [
        { ...backup, ciphertext: flip(backup.ciphertext, 5) },
        { ...backup, nonce: flip(backup.nonce, 3) },
        { ...backup, kdf: { ...backup.kdf, salt: flip(backup.kdf.salt, 3) } },
      ],
      BACKUP_FORMAT: [
        { ...backup, format: 'other' },
        { ...backup, cipher: 'none' },
        { ...backup, more: 1 },
        { ...backup, kdf: null },
        { ...backup, kdf: { ...backup.kdf, t: 1 } },
        { ...backup, kdf: { ...backup.kdf, m: 4_000_000_000 } },
        { ...backup, nonce: `${backup.nonce}AAAA` },
        null,
        [],
      ],
      BACKUP_VERSION: [{ ...backup, version: 2 }],
    };
    for (const [code, variants] of Object.entries(altered)) {
      for (const variant of variants) await expect(restore(JSON.stringify(variant))).rejects.toMatchObject({ code });
    }
    await expect(restore(text.slice(0, -1))).rejects.toMatchObject({ code: 'BACKUP_FORMAT' });
  });

  it('EE-10 a store with keys in it is not overwritten, a short passphrase not accepted', async () => {
    const store = await makeStore();
    await expect(exportBackup(store, 'short')).rejects.toMatchObject({ code: 'BACKUP_WEAK' });
    await expect(importBackup(text, PASSPHRASE, store)).rejects.toMatchObject({ code: 'BACKUP_TARGET' });
  });
});
