import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';

type Settle = (outcome: CommandResult) => void;

/** Adds `parley admin …`, for those who operate a server (OP-15). */
export function addAdminCommands(program: Command, words: Words, settle: Settle): void {
  const { say } = words;
  const admin = program
    .command('admin')
    .description(say('help.admin'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.admin.more')}`);
  addLists(admin, words, settle);
  addChanges(admin, words, settle);
  addInvitations(admin, words, settle);
  admin
    .command('quota')
    .description(say('help.admin.quota'))
    .argument('<account>', say('help.argument.account'))
    .argument('[limit...]', say('help.argument.budget'))
    .option('--clear', say('help.option.clear'))
    .option('--reason <text>', say('help.option.reason'))
    .option('--password-stdin', say('help.option.password_again_stdin'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.admin.quota.more')}`)
    .action(async (account: string, limit: string[], options) => {
      const { quota } = await import('./quota.ts');
      settle(await quota(account, limit, { options, words }));
    });
  admin
    .command('grant')
    .description(say('help.grant'))
    .argument('<email>', say('help.argument.email'))
    .option('--url <url>', say('help.option.grant_url'))
    .option('--reason <text>', say('help.option.reason'))
    .option('--password-stdin', say('help.option.password_again_stdin'))
    .addHelpText('after', `\n${say('help.grant.more')}`)
    .action(async (email: string, options) => {
      const { grant } = await import('./grant.ts');
      settle(await grant(email, options, words));
    });
}

/** Reads a whole number from 1 to `most`. */
const countReader =
  ({ say }: Words, most: number) =>
  (text: string): number => {
    const count = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN;
    if (!(count <= most)) throw new InvalidArgumentError(say('admin.count_wanted', { most }));
    return count;
  };

function addLists(admin: Command, words: Words, settle: Settle): void {
  const { say } = words;
  const readCount = countReader(words, 999_999);
  admin
    .command('accounts')
    .description(say('help.admin.accounts'))
    .argument('[search]', say('help.argument.search_accounts'))
    .addOption(new Option('--status <status>', say('help.option.status')).choices(['active', 'suspended', 'deleted']))
    .addOption(new Option('--role <role>', say('help.option.role')).choices(['user', 'operator']))
    .option('--limit <count>', say('help.option.limit'), readCount)
    .option('--all', say('help.option.all'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.admin.accounts.more')}`)
    .action(async (search: string | undefined, options) => {
      const { listAccounts } = await import('./accounts.ts');
      settle(await listAccounts(search, options, words));
    });
  admin
    .command('show')
    .description(say('help.admin.show'))
    .argument('<account>', say('help.argument.account'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.admin.show.more')}`)
    .action(async (account: string, options) => {
      const { showAccount } = await import('./accounts.ts');
      settle(await showAccount(account, options, words));
    });
  admin
    .command('audit')
    .description(say('help.admin.audit'))
    .option('--account <account>', say('help.option.audit_account'))
    .option('--operator <account>', say('help.option.audit_operator'))
    .option('--limit <count>', say('help.option.limit'), readCount)
    .option('--all', say('help.option.all'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.admin.audit.more')}`)
    .action(async (options) => {
      const { listActions } = await import('./audit.ts');
      settle(await listActions(options, words));
    });
}

function addChanges(admin: Command, words: Words, settle: Settle): void {
  const { say } = words;
  for (const [name, change, key] of [
    ['suspend', 'suspend', 'help.admin.suspend'],
    ['resume', 'resume', 'help.admin.resume'],
    ['sign-out', 'signOut', 'help.admin.sign_out'],
    ['revoke', 'revoke', 'help.admin.revoke'],
  ] as const) {
    admin
      .command(name)
      .description(say(key))
      .argument('<account>', say('help.argument.account'))
      .option('--reason <text>', say('help.option.reason'))
      .option('--password-stdin', say('help.option.password_again_stdin'))
      .option('--url <url>', say('help.option.url'))
      .addHelpText('after', `\n${say(`${key}.more`)}`)
      .action(async (account: string, options) => {
        const { changeAccount } = await import('./change.ts');
        settle(await changeAccount(change, account, options, words));
      });
  }
  admin
    .command('reset-link')
    .description(say('help.admin.reset_link'))
    .argument('<account>', say('help.argument.account'))
    .option('--reason <text>', say('help.option.reason'))
    .option('--password-stdin', say('help.option.password_again_stdin'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.admin.reset_link.more')}`)
    .action(async (account: string, options) => {
      const { createResetLink } = await import('./reset-link.ts');
      settle(await createResetLink(account, options, words));
    });
}

/** Adds `parley admin invitations …`, for a server where nobody registers uninvited (AC-8). */
function addInvitations(admin: Command, words: Words, settle: Settle): void {
  const { say } = words;
  const invitations = admin
    .command('invitations')
    .description(say('help.admin.invitations'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.admin.invitations.more')}`);
  invitations
    .command('create')
    .description(say('help.admin.invitations.create'))
    .option('--uses <count>', say('help.option.uses'), countReader(words, 1_000))
    .option('--days <count>', say('help.option.days'), countReader(words, 365))
    .option('--note <text>', say('help.option.note'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.admin.invitations.create.more')}`)
    .action(async (options) => {
      const { createInvitation } = await import('./invitations.ts');
      settle(await createInvitation(options, words));
    });
  invitations
    .command('list')
    .description(say('help.admin.invitations.list'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.admin.invitations.list.more')}`)
    .action(async (options) => {
      const { listInvitations } = await import('./invitations.ts');
      settle(await listInvitations(options, words));
    });
  invitations
    .command('revoke')
    .description(say('help.admin.invitations.revoke'))
    .argument('<invitation>', say('help.argument.invitation'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.admin.invitations.revoke.more')}`)
    .action(async (invitation: string, options) => {
      const { revokeInvitation } = await import('./invitations.ts');
      settle(await revokeInvitation(invitation, options, words));
    });
}
