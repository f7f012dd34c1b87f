import type { Command } from 'commander';

/**
 * Binds a value to the option before it. A value may begin with a dash, as one in 64 keys does, and the program, which
 * does not know the options of its commands, would mistake `-V…` for its own option.
 */
export function bindValues(program: Command, argv: readonly string[]): string[] {
  const named = longFlags(program);
  const end = argv.indexOf('--');
  const bound: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const [word, value] = [argv[index]!, argv[index + 1]];
    const isOption = (end === -1 || index < end) && named.has(word);
    if (isOption && value !== undefined && /^-[^-]/.test(value)) bound.push(`${word}=${argv[++index]}`);
    else bound.push(word);
  }
  return bound;
}

/** Collects the options with a required value, from the program and all its commands. */
function longFlags(command: Command): Set<string> {
  const own = command.options.flatMap(({ required, long }) => (required && long ? [long] : []));
  return new Set([...own, ...command.commands.flatMap((one) => [...longFlags(one)])]);
}
