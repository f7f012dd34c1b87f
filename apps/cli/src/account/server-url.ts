import { CommandError } from '../command-error.ts';
import { readCurrentServer } from './credentials.ts';

/** The address at which `parley start` listens by default. */
const LOCAL = 'http://localhost:8484';
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Takes the option, otherwise PARLEY_URL, otherwise the server of the last sign-in, otherwise the local server. */
export function chooseServer(url: string | undefined): string {
  return readServerUrl(url ?? (process.env.PARLEY_URL || readCurrentServer() || LOCAL));
}

/** Returns the origin of an address. Tokens are sent to it, so it must use TLS or be this machine. */
export function readServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '') {
    throw new CommandError('SERVER_ADDRESS_INVALID', { params: { url: text } });
  }
  return url.origin;
}
