import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileStore, writeFileStore } from '@parley/messenger/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placeKeystores, readKeystores } from './keystores.ts';

const [HASHEE, BOT] = ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058'];
const KEYSTORES = {
  [`hashee/${HASHEE}.json`]: JSON.stringify([['own/keys', 'of hashee']]),
  [`demo-bot/${BOT}.json`]: JSON.stringify([['own/keys', 'of the bot']]),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-keystores-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('OP-11 keystores of a backup', () => {
  test('OP-11 are put into place, may be there from an attempt before, and can be taken away again', async () => {
    expect((await placeKeystores(folder, KEYSTORES)).count).toBe(2);
    expect(await readKeystores(folder)).toEqual(KEYSTORES);
    const again = await placeKeystores(folder, KEYSTORES);
    expect(again.count).toBe(2);
    // What it did not put there is not its to take.
    again.takeAway();
    expect(await readKeystores(folder)).toEqual(KEYSTORES);
    rmSync(join(folder, 'demo-bot'), { recursive: true });
    const third = await placeKeystores(folder, KEYSTORES);
    third.takeAway();
    expect(Object.keys(await readKeystores(folder))).toEqual([`hashee/${HASHEE}.json`]);
  });

  test('OP-11 one that is in the way is named, and none is written', async () => {
    const taken = join(folder, 'demo-bot', BOT);
    await writeFileStore(taken, [['own/keys', 'others']]);
    await expect(placeKeystores(folder, KEYSTORES)).rejects.toMatchObject({
      code: 'KEYSTORE_IN_THE_WAY',
      params: { folder: taken },
    });
    expect(existsSync(join(folder, 'hashee'))).toBe(false);
    expect(await readFileStore(taken)).toEqual([['own/keys', 'others']]);
  });

  test('OP-11 attack: a backup does not choose where files are written', async () => {
    const strange = { '../../elsewhere.json': '[]', [`hashee/../${BOT}.json`]: '[]', [`other/${BOT}.json`]: '[]' };
    expect((await placeKeystores(folder, strange)).count).toBe(0);
    expect(existsSync(join(folder, BOT))).toBe(false);
  });
});
