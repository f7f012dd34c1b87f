import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';

/** Adds `parley audit …`: what agents asked of this device. It works offline and for people who are signed out. */
export function addAuditCommands(program: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  const audit = program
    .command('audit')
    .description(say('help.audit'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.audit.more')}`);
  audit
    .command('list')
    .description(say('help.audit.list'))
    .option('--url <url>', say('help.option.url'))
    .option('--agent <id>', say('help.option.audit_agent'))
    .option('--tool <name>', say('help.option.audit_tool'))
    .option('--status <status>', say('help.option.audit_status'))
    .option('--limit <n>', say('help.option.limit'))
    .addHelpText('after', `\n${say('help.audit.list.more')}`)
    .action(async (options) => {
      const { listAudit } = await import('./list.ts');
      settle(await listAudit(options, words));
    });
  audit
    .command('verify')
    .description(say('help.audit.verify'))
    .option('--url <url>', say('help.option.url'))
    .option('--file <file>', say('help.option.audit_file'))
    .option('--key <key>', say('help.option.audit_key'))
    .addHelpText('after', `\n${say('help.audit.verify.more')}`)
    .action(async (options) => {
      const { verifyAudit } = await import('./verify.ts');
      settle(await verifyAudit(options, words));
    });
  audit
    .command('export')
    .description(say('help.audit.export'))
    .option('--url <url>', say('help.option.url'))
    .option('--file <file>', say('help.option.export_file'))
    .option('-f, --force', say('help.option.force'))
    .addHelpText('after', `\n${say('help.audit.export.more')}`)
    .action(async (options) => {
      const { exportAudit } = await import('./export.ts');
      settle(await exportAudit(options, words));
    });
}
