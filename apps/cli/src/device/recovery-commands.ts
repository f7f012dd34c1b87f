import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';

type Settle = (outcome: CommandResult) => void;

/** Adds the commands for an account: its keys, the ways into it, and what it uses. */
export function addRecoveryCommands(program: Command, words: Words, settle: Settle): void {
  addRecovery(program, words, settle);
  addAccount(program, words, settle);
}

function addRecovery(program: Command, words: Words, settle: Settle): void {
  const { say } = words;
  const recovery = program
    .command('recovery')
    .description(say('help.recovery'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.recovery.more')}`);
  recovery
    .command('save')
    .description(say('help.recovery.save'))
    .argument('<file>', say('help.argument.secret_file'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.recovery.save.more')}`)
    .action(async (file: string, options) => {
      const { saveRecovery } = await import('./recovery.ts');
      settle(await saveRecovery(file, options, words));
    });
  recovery
    .command('show')
    .description(say('help.recovery.show'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.recovery.show.more')}`)
    .action(async (_options, command: Command) => {
      const { showRecovery } = await import('./recovery.ts');
      settle(await showRecovery(command.optsWithGlobals(), words));
    });
  recovery
    .command('use')
    .description(say('help.recovery.use'))
    .argument('[file]', say('help.argument.recovery'))
    .option('--url <url>', say('help.option.url'))
    .option('-y, --yes', say('help.option.recovery_yes'))
    .option('--passphrase-stdin', say('help.option.passphrase_stdin'))
    .addHelpText('after', `\n${say('help.recovery.use.more')}`)
    .action(async (file: string | undefined, _options, command: Command) => {
      const { applyRecovery } = await import('./recovery.ts');
      settle(await applyRecovery(file, command.optsWithGlobals(), words));
    });
}

function addAccount(program: Command, words: Words, settle: Settle): void {
  const { say } = words;
  const account = program
    .command('account')
    .description(say('help.account'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.account.more')}`);
  account
    .command('usage')
    .description(say('help.account.usage'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.account.usage.more')}`)
    .action(async (options) => {
      const { usage } = await import('../account/usage.ts');
      settle(await usage(options, words));
    });
  account
    .command('rotate-key')
    .description(say('help.account.rotate_key'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.account.rotate_key.more')}`)
    .action(async (options) => {
      const { rotateKey } = await import('./account.ts');
      settle(await rotateKey(options, words));
    });
  account
    .command('settle')
    .description(say('help.account.settle'))
    .argument('[file]', say('help.argument.recovery'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.account.settle.more')}`)
    .action(async (file: string | undefined, options) => {
      const { settleAccount } = await import('./account.ts');
      settle(await settleAccount(file, options, words));
    });
  account
    .command('change-password')
    .description(say('help.account.change_password'))
    .option('--url <url>', say('help.option.url'))
    .option('--end-passkeys', say('help.option.end_passkeys'))
    .option('--no-end-passkeys', say('help.option.no_end_passkeys'))
    .option('--stdin', say('help.option.change_stdin'))
    .addHelpText('after', `\n${say('help.account.change_password.more')}`)
    .action(async (options) => {
      const { changePassword } = await import('../account/change-password.ts');
      settle(await changePassword(options, words));
    });
  account
    .command('reset-password')
    .description(say('help.account.reset_password'))
    .option('--url <url>', say('help.option.url'))
    .option('--email <email>', say('help.option.reset_email'))
    .option('--end-passkeys', say('help.option.end_passkeys'))
    .option('--no-end-passkeys', say('help.option.no_end_passkeys'))
    .option('--stdin', say('help.option.reset_stdin'))
    .addHelpText('after', `\n${say('help.account.reset_password.more')}`)
    .action(async (options) => {
      const { resetPassword } = await import('../account/reset-password.ts');
      settle(await resetPassword(options, words));
    });
  account
    .command('passkeys')
    .description(say('help.account.passkeys'))
    .option('--url <url>', say('help.option.url'))
    .option('--remove <id>', say('help.option.remove_passkey'))
    .option('--password-stdin', say('help.option.password_again_stdin'))
    .addHelpText('after', `\n${say('help.account.passkeys.more')}`)
    .action(async (options) => {
      const { passkeys } = await import('../account/passkeys.ts');
      settle(await passkeys(options, words));
    });
}
