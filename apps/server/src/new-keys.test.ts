import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mayMakeNewKeys } from './new-keys.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-new-keys-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const ask = (identityKey: string | null) => mayMakeNewKeys({ name: 'bot', dataDir, agentId: 'a', identityKey });

test('OP-11 attack: an agent that dies at any moment while it replaces its keys may go on, until others know them', () => {
  expect(ask('before')).toBe(true);
  expect(ask('before')).toBe(true);
  mkdirSync(join(dataDir, 'bot', 'a'), { recursive: true });
  expect(ask('before')).toBe(true);
  expect(ask('after')).toBe(false);
  expect(existsSync(join(dataDir, 'bot.replacing'))).toBe(false);
  expect(ask('after')).toBe(false);
});

test('OP-11 an agent that has never had keys replaces none, nor does one that has its keystore', () => {
  expect(ask(null)).toBe(false);
  mkdirSync(join(dataDir, 'bot', 'a'), { recursive: true });
  expect([ask(null), ask('first')]).toEqual([false, false]);
});
