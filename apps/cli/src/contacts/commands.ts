import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';

type Settle = (outcome: CommandResult) => void;

/** Adds the commands for contacts and requests (AC-4 to AC-7). */
export function addContactCommands(program: Command, words: Words, settle: Settle): void {
  const { say } = words;
  const contacts = program
    .command('contacts')
    .description(say('help.contacts'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.contacts.more')}`);
  contacts
    .command('list')
    .description(say('help.contacts.list'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.contacts.list.more')}`)
    .action(async (options) => {
      const { listContacts } = await import('./contacts.ts');
      settle(await listContacts(options, words));
    });
  contacts
    .command('code')
    .description(say('help.contacts.code'))
    .option('--replace', say('help.option.replace_code'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.contacts.code.more')}`)
    .action(async (options) => {
      const { showCode } = await import('./contacts.ts');
      settle(await showCode(options, words));
    });
  contacts
    .command('add')
    .description(say('help.contacts.add'))
    .argument('[code]', say('help.argument.contact_code'))
    .option('--agent <id>', say('help.option.ask_owner'))
    .option('--member <account>', say('help.option.ask_member'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.contacts.add.more')}`)
    .action(async (code: string | undefined, options) => {
      const { addContact } = await import('./contacts.ts');
      settle(await addContact(code, options, words));
    });
  for (const verb of ['accept', 'decline', 'block', 'unblock'] as const) {
    contacts
      .command(verb)
      .description(say(`help.contacts.${verb}`))
      .argument('<who>', say('help.argument.contact_who'))
      .option('--url <url>', say('help.option.url'))
      .addHelpText('after', `\n${say(`help.contacts.${verb}.more`)}`)
      .action(async (who: string, options) => {
        const { decide } = await import('./contacts.ts');
        settle(await decide(verb, who, { options, words }));
      });
  }
}
