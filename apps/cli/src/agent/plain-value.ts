import { CommandError } from '../command-error.ts';

/** Everything that addresses, ids, tokens and secrets consist of; nothing of it means anything to Node or to a shell. */
const PLAIN = /^[A-Za-z0-9_.:/+=[\]-]+$/;

/**
 * Refuses a value that would be read as more than itself. The server sends tokens and secrets: with a line break, it
 * would add a setting such as NODE_OPTIONS, which `node --env-file` obeys.
 */
export function checkPlain(name: string, value: string): void {
  if (!PLAIN.test(value)) throw new CommandError('SETTING_UNSAFE', { params: { name } });
}
