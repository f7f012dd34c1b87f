import { CommandError } from '../command-error.ts';
import { readCurrentServer } from './credentials.ts';

/** Where `parley start` puts a server unless told otherwise. */
const LOCAL = 'http://localhost:8484';
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** What the person says, else PARLEY_URL, else where they signed in last, else the server of this machine. */
export function chooseServer(url: string | undefined): string {
  return readServerUrl(url ?? (process.env.PARLEY_URL || readCurrentServer() || LOCAL));
}

/** The origin of an address. Tokens travel to it, so it is encrypted or does not leave the machine. */
export function readServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '') {
    throw new CommandError('SERVER_ADDRESS_INVALID', { params: { url: text } });
  }
  return url.origin;
}
