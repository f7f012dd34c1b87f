import { quote } from '../shell-quote.ts';
import type { BundleOptions } from './environment.ts';

const FLAGS = { workspace: '--workspace', registry: '--registry', target: '--target', locale: '--locale' } as const;

/** Formats the command to type next with the options of this one, because a plan depends on workspace, target and language. */
export function formatNextCommand(
  command: string,
  reference: string,
  options: BundleOptions & { readonly locale?: string },
  planDigest: string,
): string {
  const told = Object.entries(FLAGS).flatMap(([name, flag]) => {
    const value = options[name as keyof typeof FLAGS];
    return value === undefined ? [] : [flag, quote(value)];
  });
  const short = options.allowShortDigest ? ['--allow-short-digest'] : [];
  return [command, quote(reference), ...told, ...short, '--plan-digest', planDigest].join(' ');
}
