import type { BundleOptions } from './environment.ts';

const FLAGS = { workspace: '--workspace', registry: '--registry', target: '--target', locale: '--locale' } as const;

/** The command to type next, with what this one was told: a plan belongs to its workspace, target and language. */
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

/** For a shell: what is not plain goes between single quotes. */
const quote = (text: string): string => (/^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
