import { type Command, Option } from 'commander';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** Adds `parley skill …`. Each command is loaded when it is used. */
export function addSkillCommands(program: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  const skill = program
    .command('skill')
    .description(say('help.skill'))
    .helpCommand('help [command]', say('help.command.help'))
    .addHelpText('after', `\n${say('help.skill.more')}`);
  addWriting(skill, words, settle);
  addFinding(skill, words, settle);
  addServing(skill, words, settle);
}

function addWriting(skill: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  skill
    .command('init')
    .description(say('help.skill.init'))
    .argument('[file]', say('help.skill.argument.target'))
    .option('--id <id>', say('help.skill.option.id'), 'local.word-count')
    .option('--origin <url>', say('help.skill.option.origin'), 'http://127.0.0.1:8790')
    .option('--handler <file>', say('help.skill.option.new_handler'))
    .option('-f, --force', say('help.option.force'))
    .addHelpText('after', `\n${say('help.skill.init.more')}`)
    .action(async (file: string | undefined, options) => {
      const { initSkill } = await import('./init.ts');
      settle(await initSkill(file, options, words));
    });
  skill
    .command('validate')
    .description(say('help.skill.validate'))
    .argument('[files...]', say('help.skill.argument.files'))
    .option('--development', say('help.skill.option.development'))
    .addHelpText('after', `\n${say('help.skill.validate.more')}`)
    .action(async (files: string[], options) => {
      const { validateSkills } = await import('./validate.ts');
      settle(await validateSkills(files, options, words));
    });
  skill
    .command('publish')
    .description(say('help.skill.publish'))
    .argument('<file>', say('help.skill.argument.file'))
    .option('--url <url>', say('help.option.url'))
    .option('--claim <namespace>', say('help.skill.option.claim'))
    .addHelpText('after', `\n${say('help.skill.publish.more')}`)
    .action(async (file: string, options) => {
      const { publishSkill } = await import('./publish.ts');
      settle(await publishSkill(file, options, words));
    });
}

function addFinding(skill: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  skill
    .command('search')
    .description(say('help.skill.search'))
    .argument('[words...]', say('help.skill.argument.words'))
    .option('--url <url>', say('help.option.url'))
    .addOption(
      new Option('--type <type>', say('help.skill.option.type')).choices(['plugin', 'api', 'knowledge', 'task']),
    )
    .option('--tag <tag>', say('help.skill.option.tag'))
    .option('--provider <name>', say('help.skill.option.provider'))
    .option('--mine', say('help.skill.option.mine'))
    .option('--limit <n>', say('help.skill.option.limit'))
    .option('--cursor <cursor>', say('help.skill.option.cursor'))
    .addHelpText('after', `\n${say('help.skill.search.more')}`)
    .action(async (terms: string[], options) => {
      const { searchSkills } = await import('./search.ts');
      settle(await searchSkills(terms, options, words));
    });
  skill
    .command('show')
    .description(say('help.skill.show'))
    .argument('<skill>', say('help.skill.argument.source'))
    .option('--url <url>', say('help.option.url'))
    .option('--at <version>', say('help.skill.option.at'))
    .option('--development', say('help.skill.option.development'))
    .addHelpText('after', `\n${say('help.skill.show.more')}`)
    .action(async (source: string, options) => {
      const { showSkill } = await import('./show.ts');
      settle(await showSkill(source, options, words));
    });
  skill
    .command('invoke')
    .description(say('help.skill.invoke'))
    .argument('<skill>', say('help.skill.argument.source'))
    .option('-i, --input <name=value>', say('help.skill.option.input'), collect)
    .option('--inputs <file>', say('help.skill.option.inputs'))
    .option('-o, --output <file>', say('help.skill.option.output'))
    .option('--timeout <ms>', say('help.skill.option.timeout'))
    .option('--url <url>', say('help.option.url'))
    .option('--at <version>', say('help.skill.option.at'))
    .option('--development', say('help.skill.option.development'))
    .addHelpText('after', `\n${say('help.skill.invoke.more')}`)
    .action(async (source: string, options) => {
      const { invokeSkill } = await import('./invoke.ts');
      settle(await invokeSkill(source, options, words));
    });
  skill
    .command('login')
    .description(say('help.skill.login'))
    .argument('<origin>', say('help.skill.argument.origin'))
    .option('--key-stdin', say('help.skill.option.key_stdin'))
    .option('--parameter <name>', say('help.skill.option.parameter'))
    .option('--client-id <id>', say('help.skill.option.client_id'))
    .option('--url <url>', say('help.option.url'))
    .option('--development', say('help.skill.option.development'))
    .addHelpText('after', `\n${say('help.skill.login.more')}`)
    .action(async (target: string, options) => {
      const { loginToSkill } = await import('./login.ts');
      settle(await loginToSkill(target, options, words));
    });
  skill
    .command('logout')
    .description(say('help.skill.logout'))
    .argument('<origin>', say('help.skill.argument.origin'))
    .action(async (target: string) => {
      const { logoutOfSkill } = await import('./login.ts');
      settle(await logoutOfSkill(target, words));
    });
}

function addServing(skill: Command, words: Words, settle: (outcome: CommandResult) => void): void {
  const { say } = words;
  skill
    .command('serve')
    .description(say('help.skill.serve'))
    .argument('<file>', say('help.skill.argument.file'))
    .requiredOption('--handler <module>', say('help.skill.option.handler'))
    .option('--port <port>', say('help.skill.option.port'))
    .option('--host <host>', say('help.skill.option.host'), '127.0.0.1')
    .option('--keys <file>', say('help.skill.option.keys'))
    .option('--issuer <url>', say('help.skill.option.issuer'))
    .option('--audience <text>', say('help.skill.option.audience'))
    .option('--jwks <url>', say('help.skill.option.jwks'))
    .option('--scope <scope>', say('help.skill.option.scope'), collect)
    .option('--per-minute <n>', say('help.skill.option.per_minute'))
    .addHelpText('after', `\n${say('help.skill.serve.more')}`)
    .action(async (file: string, _options, command: Command) => {
      const { serveFile } = await import('./serve.ts');
      settle(await serveFile(file, command.optsWithGlobals(), words));
    });
  skill
    .command('key')
    .description(say('help.skill.key'))
    .argument('<caller>', say('help.skill.argument.caller'))
    .option('--keys <file>', say('help.skill.option.keys'), 'skill-keys.json')
    .addHelpText('after', `\n${say('help.skill.key.more')}`)
    .action(async (caller: string, options: { keys: string }) => {
      const { addApiKey } = await import('./key.ts');
      settle(await addApiKey(caller, options.keys, words));
    });
}
