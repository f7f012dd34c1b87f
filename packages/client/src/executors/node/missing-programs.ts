import { findProgram } from '@parley/base/node';
import { readersFor } from './read-clipboard.ts';
import type { Environment } from './run-program.ts';

interface Where {
  readonly environment: Environment;
  readonly platform: string;
}

/** What the packages of most Linux distributions call what holds a program. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['wl-paste', 'wl-clipboard'],
  ['notify-send', 'libnotify (libnotify-bin)'],
]);

/**
 * The packages of which one would let this machine run the tool; empty where none would. Only Linux has to be given
 * them: the others bring their own.
 */
export function findMissingPrograms(tool: string, { environment, platform }: Where): readonly string[] {
  if (platform !== 'linux') return [];
  const programs =
    tool === 'read_clipboard' ? readersFor(environment) : tool === 'send_notification' ? ['notify-send'] : [];
  // With one of them here, it is something else that is missing.
  if (programs.some((name) => findProgram(name, environment) !== undefined)) return [];
  return programs.map((name) => PACKAGES.get(name) ?? name);
}
