import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function addChatCommand(program: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  program
    .command('chat')
    .description(say('help.chat'))
    .argument('[agent]', say('help.argument.agent'))
    .option('--url <url>', say('help.option.url'))
    .option('--allow-dir <folder>', say('help.option.allow_dir'), collect)
    .option('--location <lat,lon>', say('help.option.location'))
    .option('--allow-private-addresses', say('help.option.allow_private'))
    .option('--send <text>', say('help.option.send'))
    .option('--allow <tool>', say('help.option.allow'), collect)
    .option('--grant <scope>', say('help.option.grant'), collect)
    .option('--wait <seconds>', say('help.option.wait'))
    .addHelpText('after', `\n${say('help.chat.more')}`)
    .action(async (agent: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals();
      if (options.send === undefined) {
        const { chat } = await import('./chat.ts');
        settle(await chat(agent, options, words));
      } else {
        const { send } = await import('./send.ts');
        settle(await send(agent, options as Parameters<typeof send>[1], words));
      }
    });
}
