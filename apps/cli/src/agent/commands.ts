import type { Command } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';

/** Adds `parley agent …`, which manages the agents that the person owns. */
export function addAgentCommands(program: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  const agent = program
    .command('agent')
    .description(say('help.agent'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.agent.more')}`);
  agent
    .command('create')
    .description(say('help.agent.create'))
    .argument('<name>', say('help.argument.agent_name'))
    .option('--url <url>', say('help.option.url'))
    .option('--manifest <file>', say('help.option.manifest'))
    .option('--description <text>', say('help.option.description'))
    .option('--public', say('help.option.public'))
    .option('--token-file <file>', say('help.option.token_file'))
    .option('--settings-file <file>', say('help.option.settings_file'))
    .addHelpText('after', `\n${say('help.agent.create.more')}`)
    .action(async (name: string, options) => {
      const { createAgent } = await import('./create.ts');
      settle(await createAgent(name, options, words));
    });
  agent
    .command('list')
    .description(say('help.agent.list'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.agent.list.more')}`)
    .action(async (options) => {
      const { listAgents } = await import('./list.ts');
      settle(await listAgents(options, words));
    });
  agent
    .command('token')
    .description(say('help.agent.token'))
    .argument('<agent>', say('help.argument.own_agent'))
    .option('--url <url>', say('help.option.url'))
    .option('--overlap <seconds>', say('help.option.overlap'))
    .option('--token-file <file>', say('help.option.token_file'))
    .option('--settings-file <file>', say('help.option.settings_file'))
    .addHelpText('after', `\n${say('help.agent.token.more')}`)
    .action(async (name: string, options) => {
      const { rotateToken } = await import('./token.ts');
      settle(await rotateToken(name, options, words));
    });
  agent
    .command('events')
    .description(say('help.agent.events'))
    .argument('<agent>', say('help.argument.own_agent'))
    .option('--url <url>', say('help.option.url'))
    .option('--once', say('help.option.once'))
    .addHelpText('after', `\n${say('help.agent.events.more')}`)
    .action(async (name: string, _options, command: Command) => {
      const { showEvents } = await import('./events.ts');
      settle(await showEvents(name, command.optsWithGlobals(), words));
    });
  agent
    .command('link')
    .description(say('help.agent.link'))
    .argument('<agent>', say('help.argument.own_agent'))
    .option('--url <url>', say('help.option.url'))
    .option('--fingerprint <text>', say('help.option.fingerprint'))
    .addHelpText('after', `\n${say('help.agent.link.more')}`)
    .action(async (name: string, options) => {
      const { linkAgent } = await import('./link.ts');
      settle(await linkAgent(name, options, words));
    });
  addWebhookCommands(agent, words, settle);
}

/** Adds `parley agent webhook …`, which says where the events of an agent go. */
function addWebhookCommands(agent: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  const webhook = agent
    .command('webhook')
    .description(say('help.webhook'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.webhook.more')}`);
  webhook
    .command('set')
    .description(say('help.webhook.set'))
    .argument('<agent>', say('help.argument.own_agent'))
    .argument('<address>', say('help.argument.webhook_address'))
    .option('--url <url>', say('help.option.url'))
    .option('--secret-file <file>', say('help.option.secret_file'))
    .option('--settings-file <file>', say('help.option.settings_file'))
    .addHelpText('after', `\n${say('help.webhook.set.more')}`)
    .action(async (name: string, address: string, options) => {
      const { setWebhook } = await import('./webhook.ts');
      settle(await setWebhook(name, address, options, words));
    });
  webhook
    .command('test')
    .description(say('help.webhook.test'))
    .argument('<agent>', say('help.argument.own_agent'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.webhook.test.more')}`)
    .action(async (name: string, options) => {
      const { testWebhook } = await import('./webhook.ts');
      settle(await testWebhook(name, options, words));
    });
  webhook
    .command('remove')
    .description(say('help.webhook.remove'))
    .argument('<agent>', say('help.argument.own_agent'))
    .option('--url <url>', say('help.option.url'))
    .addHelpText('after', `\n${say('help.webhook.remove.more')}`)
    .action(async (name: string, options) => {
      const { removeWebhook } = await import('./webhook.ts');
      settle(await removeWebhook(name, options, words));
    });
}
