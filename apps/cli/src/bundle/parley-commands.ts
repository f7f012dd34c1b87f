import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';
import { addBundleCommands } from './commands.ts';

/** Adds `parley bundle`: what `roleos` does with single bundles, and running one as an agent. */
export function addBundles(parley: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  const bundle = parley
    .command('bundle')
    .description(say('help.bundle'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.bundle.more')}`);
  addBundleCommands(bundle, { words, settle, program: 'parley bundle' });
  bundle
    .command('run-as-agent')
    .description(say('help.bundle.run'))
    .argument('<id>', say('help.bundle.argument.id'))
    .option('--workspace <folder>', say('help.bundle.option.workspace'))
    .option('--url <url>', say('help.roleos.option.server'))
    .option('--no-run', say('help.bundle.option.no_run'))
    .option('--token-file <file>', say('help.bundle.option.token_file'))
    .option('--public', say('help.bundle.option.public'))
    .addHelpText('after', `\n${say('help.bundle.run.more')}`)
    .action(async (id: string, options) => {
      const { runAsAgent } = await import('./agent/run-as-agent.ts');
      settle(await runAsAgent(id, options, words));
    });
}
