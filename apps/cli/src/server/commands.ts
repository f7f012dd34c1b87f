import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';

/** The commands that run a server and look after it. Loaded when they are used: the server is far larger than the rest. */
export function addServerCommands(program: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  program
    .command('start')
    .description(say('help.start'))
    .option('--foreground', say('help.option.foreground'))
    .addHelpText('after', `\n${say('help.start.more')}`)
    .action(async (_options, command: Command) => {
      const { start } = await import('./start.ts');
      settle(await start(command.optsWithGlobals(), words));
    });
  program
    .command('stop')
    .description(say('help.stop'))
    .addHelpText('after', `\n${say('help.stop.more')}`)
    .action(async () => {
      const { stop } = await import('./stop.ts');
      settle(await stop(words));
    });
  program
    .command('status')
    .description(say('help.status'))
    .addHelpText('after', `\n${say('help.status.more')}`)
    .action(async () => {
      const { status } = await import('./status.ts');
      settle(await status(words));
    });
  program
    .command('backup')
    .description(say('help.backup'))
    .argument('<file>', say('help.argument.backup'))
    .option('--with-secrets', say('help.option.with_secrets'))
    .option('-f, --force', say('help.option.force'))
    .addHelpText('after', `\n${say('help.backup.more')}`)
    .action(async (file: string, options) => {
      const { backup } = await import('./backup.ts');
      settle(await backup(file, options, words));
    });
  const secrets = program
    .command('secrets')
    .description(say('help.secrets'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.secrets.more')}`);
  secrets
    .command('status')
    .description(say('help.secrets.status'))
    .addHelpText('after', `\n${say('help.secrets.status.more')}`)
    .action(async () => {
      const { secretsStatus } = await import('./secrets.ts');
      settle(secretsStatus(words));
    });
  secrets
    .command('rotate')
    .description(say('help.secrets.rotate'))
    .option('--prepare', say('help.option.prepare'))
    .addHelpText('after', `\n${say('help.secrets.rotate.more')}`)
    .action(async (options) => {
      const { rotateSecrets } = await import('./secrets.ts');
      settle(rotateSecrets(options, words));
    });
  secrets
    .command('retire')
    .description(say('help.secrets.retire'))
    .addHelpText('after', `\n${say('help.secrets.retire.more')}`)
    .action(async () => {
      const { retireSecrets } = await import('./secrets.ts');
      settle(await retireSecrets(words));
    });
  program
    .command('restore')
    .description(say('help.restore'))
    .argument('<file>', say('help.argument.restore'))
    .addHelpText('after', `\n${say('help.restore.more')}`)
    .action(async (file: string) => {
      const { restore } = await import('./restore.ts');
      settle(await restore(file, words));
    });
}
