import { type DeviceTraits, type LoginSession, REFRESH_SECONDS } from '../auth/session.ts';
import { networkOf } from '../http/network-of.ts';
import type { Request } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { knownDeviceCookie, readKnownDeviceCookie, refreshCookie } from './cookie.ts';
import { tokensToWire } from './wire.ts';

/** Replies with the tokens of a session, and sets its refresh token and the proof of a known device as cookies. */
export function signIn<R>({ config }: Platform, { setHeader }: Request<R>, session: LoginSession) {
  const { refreshToken, knownDevice } = session;
  const cookies = [refreshCookie(config, refreshToken, REFRESH_SECONDS)];
  if (knownDevice !== undefined) cookies.push(knownDeviceCookie(config, knownDevice));
  setHeader('set-cookie', cookies);
  return tokensToWire(session);
}

/** The same for a client without cookies. */
export function signInWithoutCookies(session: LoginSession) {
  const { refreshToken: refresh_token, knownDevice: known_device } = session;
  return { ...tokensToWire(session), refresh_token, ...(known_device === undefined ? {} : { known_device }) };
}

/** What a request shows of the device that sends it; a proof in the body is of a client without cookies. */
export function traitsOf(
  { headers, address }: Pick<Request<unknown>, 'headers' | 'address'>,
  proof?: string,
): DeviceTraits {
  return {
    client: headers['user-agent'],
    network: networkOf(address),
    knownDevice: proof ?? readKnownDeviceCookie(headers),
  };
}
