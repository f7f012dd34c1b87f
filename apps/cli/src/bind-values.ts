import type { Command } from 'commander';

/**
 * A value may begin with a dash, as one in 64 keys does, and the program, which does not know its commands' options, would
 * take it for an option of its own: `-V…` for the version. So it is bound to the option that it follows.
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

/** Of every option that has to be given a value, here and in all commands. */
function longFlags(command: Command): Set<string> {
  const own = command.options.flatMap(({ required, long }) => (required && long ? [long] : []));
  return new Set([...own, ...command.commands.flatMap((one) => [...longFlags(one)])]);
}
