import { type Api, createApi } from '@parley/messenger';
import { createBrowserPlatform } from '@parley/messenger/browser';
import { authRoutes, passkeyRoutes } from '@parley/protocol';
import { enter } from './keys.ts';

type Wire = Record<string, unknown>;

/** Returns the result of the browser's dialog; undefined if the person cancelled it. */
async function orUndefined<T>(asking: Promise<T | null>): Promise<T | undefined> {
  try {
    return (await asking) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError'))
      return undefined;
    throw error;
  }
}

const toWire = (credential: Credential): Wire => (credential as PublicKeyCredential).toJSON() as unknown as Wire;

export async function signInWithPasskey(): Promise<void> {
  const api = createApi({
    baseUrl: location.origin,
    platform: createBrowserPlatform(),
    credentials: { kind: 'none' },
  });
  const { challenge_id, options } = await api.call(passkeyRoutes.passkeyLoginOptions);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  const credential = await orUndefined(navigator.credentials.get({ publicKey }));
  if (credential === undefined) return;
  const body = { challenge_id, credential: toWire(credential) };
  await enter(await api.call(passkeyRoutes.passkeyLoginVerify, { body }));
}

/** Proves with a passkey that the person of this session is there. Returns false if they cancelled it. */
export async function provePasskey(api: Api): Promise<boolean> {
  const { challenge_id, options } = await api.call(passkeyRoutes.passkeyLoginOptions);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  const credential = await orUndefined(navigator.credentials.get({ publicKey }));
  if (credential === undefined) return false;
  await api.call(authRoutes.reauthenticate, { body: { challenge_id, credential: toWire(credential) } });
  return true;
}

/** Returns false if the person cancelled it. */
export async function addPasskey(api: Api, name: string): Promise<boolean> {
  const { challenge_id, options } = await api.call(passkeyRoutes.passkeyRegisterOptions);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  const credential = await orUndefined(navigator.credentials.create({ publicKey }));
  if (credential === undefined) return false;
  await api.call(passkeyRoutes.passkeyRegisterVerify, { body: { challenge_id, name, credential: toWire(credential) } });
  return true;
}
