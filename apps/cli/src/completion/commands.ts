import { Argument, type Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';
import { SHELLS, type Shell } from './shells.ts';

/** Adds `parley completion` or `roleos completion`. It must be added last to know every other command. */
export function addCompletion(program: Command, { say }: Words, settle: (outcome: CommandResult) => void): void {
  const name = program.name();
  program
    .command('completion')
    .description(say('help.completion'))
    .addArgument(new Argument('<shell>', say('help.argument.shell')).choices(SHELLS))
    .addHelpText('after', `\n${say('help.completion.more', { program: name })}`)
    .action(async (shell: Shell) => {
      const { writeCompletion } = await import('./completion.ts');
      settle(writeCompletion(program, shell));
    });
}
