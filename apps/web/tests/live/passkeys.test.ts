import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Person, useWorld } from './harness/index.ts';

/** Passkeys are made for one origin, so the server has to know its own before it listens. */
const port = await new Promise<number>((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address() as { port: number };
    probe.close(() => resolve(free));
  });
});
const origin = `http://localhost:${port}`;

/** The browser's own stand-in for a fingerprint reader. */
async function addAuthenticator({ context, page }: Person): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

describe('TR-9 passkeys', () => {
  const world = useWorld(() => ({ port, publicUrl: origin }));

  it('TR-9 a passkey is added in the settings, and signs in without a password', async () => {
    const ada = await world.arrive({ at: origin });
    await ada.signUp();
    await addAuthenticator(ada);
    const { settings, signIn } = ada.words;
    await ada.go('settings');
    await ada.button(settings.passkeys.add).click();
    await ada.page.getByText(settings.passkeys.never, { exact: true }).waitFor();
    await ada.button(settings.signOut).click();
    await ada.button(signIn.passkey).click();
    await ada.page.getByText(settings.passkeys.used.replace('{{time}}', '').trim(), { exact: false }).waitFor();
    expect(await ada.page.getByText(settings.passkeys.never, { exact: true }).count()).toBe(0);
  });
});
