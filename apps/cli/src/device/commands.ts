import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';
import { addRecoveryCommands } from './recovery-commands.ts';

type Settle = (outcome: CommandResult) => void;

/** Adds the commands for signing in and for the devices of an account. */
export function addDeviceCommands(program: Command, words: Words, settle: Settle): void {
  addSignIn(program, words, settle);
  addDevices(program, words, settle);
  addRecoveryCommands(program, words, settle);
}

function addSignIn(program: Command, words: Words, settle: Settle): void {
  const { say } = words;
  const common = (command: Command) =>
    command
      .option('--url <url>', say('help.option.url'))
      .option('--email <email>', say('help.option.email'))
      .option('--password-stdin', say('help.option.password_stdin'))
      .option('--no-wait', say('help.option.no_wait'));
  common(program.command('login'))
    .description(say('help.login'))
    .option('--device', say('help.option.device'))
    .option('--first-device', say('help.option.first_device'))
    .addHelpText('after', `\n${say('help.login.more')}`)
    .action(async (_options, command: Command) => {
      const { login } = await import('./login.ts');
      settle(await login(command.optsWithGlobals(), words));
    });
  common(program.command('register'))
    .description(say('help.register'))
    .option('--name <name>', say('help.option.name'))
    .option('--invitation <code>', say('help.option.invitation'))
    .addHelpText('after', `\n${say('help.register.more')}`)
    .action(async (_options, command: Command) => {
      const { login } = await import('./login.ts');
      settle(await login(command.optsWithGlobals(), words, true));
    });
  program
    .command('logout')
    .description(say('help.logout'))
    .option('--url <url>', say('help.option.url'))
    .option('--forget', say('help.option.forget'))
    .option('-y, --yes', say('help.option.forget_yes'))
    .addHelpText('after', `\n${say('help.logout.more')}`)
    .action(async (_options, command: Command) => {
      const { logout } = await import('./logout.ts');
      settle(await logout(command.optsWithGlobals(), words));
    });
  program
    .command('whoami')
    .description(say('help.whoami'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.whoami.more')}`)
    .action(async (options) => {
      const { whoami } = await import('./whoami.ts');
      settle(await whoami(options, words));
    });
}

function addDevices(program: Command, words: Words, settle: Settle): void {
  const { say } = words;
  const devices = program
    .command('devices')
    .description(say('help.devices'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.devices.more')}`);
  devices
    .command('list')
    .description(say('help.devices.list'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.devices.list.more')}`)
    .action(async (options) => {
      const { listDevices } = await import('./devices.ts');
      settle(await listDevices(options, words));
    });
  devices
    .command('approve')
    .description(say('help.devices.approve'))
    .argument('<id>', say('help.argument.device_id'))
    .option('--url <url>', say('help.option.url'))
    .option('--code <digits>', say('help.option.code'))
    .option('--keeper', say('help.option.keeper'))
    .option('--no-keeper', say('help.option.no_keeper'))
    .addHelpText('after', `\n${say('help.devices.approve.more')}`)
    .action(async (id: string, _options, command: Command) => {
      const { approveDevice } = await import('./devices.ts');
      settle(await approveDevice(id, command.optsWithGlobals(), words));
    });
  devices
    .command('keep')
    .description(say('help.devices.keep'))
    .argument('<id>', say('help.argument.device_id'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.devices.keep.more')}`)
    .action(async (id: string, options) => {
      const { keepDevice } = await import('./devices.ts');
      settle(await keepDevice(id, options, words));
    });
  devices
    .command('revoke')
    .description(say('help.devices.revoke'))
    .argument('<id>', say('help.argument.device_id'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.devices.revoke.more')}`)
    .action(async (id: string, options) => {
      const { revokeDevice } = await import('./devices.ts');
      settle(await revokeDevice(id, options, words));
    });
}
