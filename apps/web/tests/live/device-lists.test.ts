import { createClient, waitUntil } from '@parley/client';
import {
  generateEd25519,
  generateX25519,
  type KeyPair,
  readState,
  signDeviceStatement,
  toBase64Url,
} from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { createMemoryStore } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { newTimedId, SignedAccount } from '@parley/testkit/account';
import { describe, expect, it } from 'vitest';
import { fill, type Person, useWorld } from './harness/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Statement = any;

describe('EE-9, EE-17, EE-18 device lists of a server that lies', () => {
  const world = useWorld();

  /** A keeper without a screen, whose account key the test can read: whoever stole it could do the same. */
  async function stealKey(ada: Person): Promise<{ accountId: string; key: KeyPair; close(): Promise<void> }> {
    const store = createMemoryStore();
    const thief = await createClient({ baseUrl: world.server.url, store, platform: createNodePlatform() });
    await thief.login(ada.credentials);
    const waiting = thief.session.getSnapshot();
    if (waiting.state !== 'waiting') throw new Error(`the second device is ${waiting.state}`);
    await ada.approve(waiting.code);
    const ready = await waitUntil(thief.session, ({ state }) => state === 'ready');
    if (ready.state !== 'ready') throw new Error(`the second device is ${ready.state}`);
    const { accountId, devices } = ready.device;
    await devices.refresh();
    expect(await devices.isKeeper()).toBe(true);
    const key = readState<KeyPair>((await store.get('client/account-key'))!);
    return { accountId, key, close: () => thief.close() };
  }

  async function readList(accountId: string, person: Person): Promise<{ statements: Statement[]; head: string }> {
    const { body: session } = await world.server.call('POST', '/auth/login', { body: person.credentials });
    const { body } = await world.server.call('GET', `/accounts/${accountId}/devices?after=0`, {
      token: session.access_token,
    });
    return body;
  }

  /** The statement of a thief, which goes on where the list ended before the person's own last one. */
  function signRival(accountId: string, key: KeyPair, { seq, prev }: Statement): Statement {
    const device = {
      device_id: newTimedId(),
      identity_key: toBase64Url(generateEd25519(nodeCrypto).publicKey),
      exchange_key: toBase64Url(generateX25519(nodeCrypto).publicKey),
    };
    const created_at = new Date().toISOString();
    return signDeviceStatement(
      nodeCrypto,
      { version: 1, account_id: accountId, seq, prev, created_at, action: 'add', device },
      key,
    );
  }

  /** From now on the server shows this browser the rival's list. */
  async function showRival({ page }: Person, accountId: string, list: Statement[], rival: Statement): Promise<void> {
    await page.route(`**/accounts/${accountId}/devices*`, async (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after') ?? 0);
      const response = await route.fetch();
      const body = await response.json();
      const statements = [...list.slice(0, rival.seq - 1), rival];
      await route.fulfill({
        response,
        json: { ...body, statements: statements.slice(after), length: statements.length, head: 'f'.repeat(64) },
      });
    });
  }

  it('EE-17 attack: a stolen account key signs a rival list: everything stops, and the recovery secret settles it', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const { devices, fork } = words.settings;
    const secret = await ada.readRecoverySecret();
    await page.keyboard.press('Escape');
    const thief = await stealKey(ada);
    // What the person does next, and what the thief does in its place.
    await ada.button(devices.rotate).click();
    await ada.prompt.getByRole('button', { name: devices.rotate, exact: true }).click();
    await page.getByText(devices.rotated, { exact: true }).waitFor();
    const { statements } = await readList(thief.accountId, ada);
    const rival = signRival(thief.accountId, thief.key, statements.at(-1));
    await showRival(ada, thief.accountId, statements, rival);
    await ada.open();

    const alarm = page.getByRole('alert').filter({ hasText: words.shell.forked });
    await alarm.waitFor();
    await ada.sees(page.getByText(words.conversations.problem.own_list.forked, { exact: true }));
    await alarm.getByRole('link', { name: words.shell.settle, exact: true }).click();
    await page.getByRole('heading', { name: fork.title, exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByLabel(fork.secret, { exact: true }).fill('0000-0000-0000-0000-0000-0000-0000');
    await ada.button(fork.settle).click();
    await page.locator('form').getByRole('alert').waitFor();
    await page.getByLabel(fork.secret, { exact: true }).fill(secret);
    await ada.button(fork.settle).click();
    await expect.poll(() => page.getByRole('heading', { name: fork.title, exact: true }).count()).toBe(0);
    expect(await alarm.count()).toBe(0);
    const { statements: settled } = await readList(thief.accountId, ada);
    expect(settled.at(-1).action).toBe('recover');

    // Everything works again, under a key that the thief does not have.
    await ada.reload();
    const phone = await world.arrive({ email: ada.email });
    await ada.letIn(phone);
    await thief.close();
  });

  it('EE-18 attack: a rival list of another person: nothing is sent to them, and the page says why', async () => {
    const [ada, bob] = [await world.signUp({ name: 'Ada' }), await world.signUp({ name: 'Bob' })];
    const { page, words } = ada;
    const { conversations } = words;
    const thief = await stealKey(bob);
    await ada.go(`people/${thief.accountId}`);
    await ada.button(conversations.begin).click();
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor();
    await ada.say('hello');
    await ada.thread.getByText('hello', { exact: true }).waitFor();
    await expect.poll(() => page.getByText(conversations.sending, { exact: true }).count()).toBe(0);
    await bob.button(words.settings.devices.rotate).click();
    await bob.prompt.getByRole('button', { name: words.settings.devices.rotate, exact: true }).click();
    await bob.page.getByText(words.settings.devices.rotated, { exact: true }).waitFor();
    await ada.say('hello again');
    await ada.thread.getByText('hello again', { exact: true }).waitFor();
    await expect.poll(() => page.getByText(conversations.sending, { exact: true }).count()).toBe(0);

    const { statements } = await readList(thief.accountId, bob);
    const rival = signRival(thief.accountId, thief.key, statements.at(-1));
    await showRival(ada, thief.accountId, statements, rival);
    await ada.reload();
    await ada.say('for Bob alone');
    await page.getByText(fill(conversations.problem.their_list.forked, { name: 'Bob' }), { exact: true }).waitFor();
    await page.getByText(new RegExp(conversations.failed)).first().waitFor();
    expect(await page.getByRole('alert').filter({ hasText: words.shell.forked }).count()).toBe(0);
    await thief.close();
  });

  it('EE-9, EE-18 attack: another list in the place of a person’s: messages wait until the new key was looked at', async () => {
    const [ada, bob] = [await world.signUp({ name: 'Ada' }), await world.signUp({ name: 'Bob' })];
    const { page, words } = ada;
    const { conversations } = words;
    const { body: session } = await world.server.call('POST', '/auth/login', { body: bob.credentials });
    await ada.go(`people/${session.user_id}`);
    await ada.button(conversations.begin).click();
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor();
    await ada.say('hello');
    await ada.thread.getByText('hello', { exact: true }).waitFor();
    await expect.poll(() => page.getByText(conversations.sending, { exact: true }).count()).toBe(0);

    const other = new SignedAccount(session.user_id);
    const device = SignedAccount.makeDevice();
    other.create(device);
    await page.route(`**/accounts/${session.user_id}/devices*`, (route) => {
      const after = Number(new URL(route.request().url()).searchParams.get('after') ?? 0);
      return route.fulfill({ json: other.listing([device], after) });
    });
    await ada.reload();
    await ada.say('for Bob alone');
    const changed = page.getByText(fill(conversations.problem.person_changed, { name: 'Bob' }), { exact: true });
    await changed.first().waitFor();
    await page.getByText(new RegExp(conversations.failed)).first().waitFor();
    // In the list of problems, and above the conversation that it is about.
    await expect.poll(() => changed.count()).toBe(2);
    await ada.button(conversations.details).click();
    await ada.prompt.getByText(other.publicKey, { exact: true }).waitFor();
    expect(await ada.prompt.getByRole('img', { name: conversations.safetyQr, exact: true }).count()).toBe(0);
    await ada.button(conversations.keyAccept).click();
    await ada.prompt.getByRole('img', { name: conversations.safetyQr, exact: true }).waitFor();
    expect(await changed.count()).toBe(0);
  });
});
