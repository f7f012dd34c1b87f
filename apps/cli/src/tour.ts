import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { CommandError } from './command-error.ts';
import type { CommandResult } from './command-result.ts';
import { compactJson } from './compact-json.ts';
import { EXAMPLES } from './examples.ts';
import { EXIT } from './exit-code.ts';
import { diff } from './manifest/diff.ts';
import { preview } from './manifest/preview.ts';
import { validate } from './manifest/validate.ts';
import type { MessageKey, Words } from './messages/index.ts';
import { ownCommand } from './own-command.ts';
import type { Paint } from './paint.ts';
import { show } from './print.ts';
import { waitForKey } from './wait-for-key.ts';

const COLUMNS = 80;

interface Step {
  readonly id: 'intro' | 'validate' | 'broken' | 'diff' | 'preview' | 'next';
  readonly command?: string;
  readonly json?: unknown;
  text(paint: Paint): string;
}

/** Shows the life of a manifest in about a minute, step by step at a terminal, otherwise without pauses. */
export async function tour(options: { json?: boolean }, words: Words): Promise<CommandResult> {
  const steps = await prepareSteps(words);
  const json = { steps: steps.map(({ id, command, json: result }) => ({ id, command, result })) };
  if (!options.json && process.stdin.isTTY && process.stdout.isTTY) {
    await walk(steps, words);
    return { exit: EXIT.fine, json, text: () => '' };
  }
  return { exit: EXIT.fine, json, text: (paint) => steps.map((step) => step.text(paint)).join('\n') };
}

async function walk(steps: readonly Step[], words: Words): Promise<void> {
  for (const step of steps) {
    await show(process.stdout, (paint) => `${step.text(paint)}\n`);
    if (step === steps.at(-1)) return;
    const goesOn = await waitForKey(words.say('tour.pause'));
    if (!goesOn) return;
  }
}

async function prepareSteps(words: Words): Promise<Step[]> {
  const file = exampleFile('demobot.json');
  const next = exampleFile('demobot-next.json');
  const broken = exampleFile('broken.json');
  const run = (id: Step['id'], line: string, outcome: CommandResult): Step => {
    const command = ownCommand(`parley manifest ${shorten(line)}`);
    return {
      id,
      command,
      json: outcome.json,
      text: (paint) =>
        `${paint('bold', words.say(`tour.${id}`))}\n\n${paint('cyan', `$ ${command}`)}\n${shorten(outcome.text(paint))}`,
    };
  };
  return [
    showManifest(file, words),
    run('validate', `validate ${file}`, await validate([file], words)),
    run('broken', `validate ${broken}`, await validate([broken], words)),
    run('diff', `diff ${file} ${next}`, await diff([file, next], { policy: 'spec', fail: true }, words)),
    run('preview', `preview ${file}`, await preview([file], words)),
    showNext(words),
  ];
}

/** Where the person has the examples at hand, as `parley examples` writes them, the tour names those. */
function exampleFile(name: string): string {
  const path = join(EXAMPLES, 'manifests', name);
  if (!existsSync(path)) throw new CommandError('EXAMPLES_MISSING');
  const written = join('examples/manifests', name);
  if (existsSync(written) && readFileSync(written).equals(readFileSync(path))) return written;
  return path;
}

/** The files of the package are named as `parley examples` writes them: where they lie in it is of no use to anybody. */
const shorten = (text: string): string => text.replaceAll(join(EXAMPLES, sep), join('examples', sep));

/** Shows one tool and its scope, because the whole file would fill the screen. */
function showManifest(file: string, words: Words): Step {
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const tool = manifest.tools[1];
  const scopes = manifest.permission_scopes.filter((scope: { id: string }) => scope.id === tool.permission_scope);
  const excerpt = compactJson({ tools: [tool], permission_scopes: scopes }, COLUMNS);
  const title = words.say('tour.title');
  const intro = words.say('tour.intro', { tools: manifest.tools.length });
  return {
    id: 'intro',
    json: manifest,
    text: (paint) => `${paint('bold', title)}\n\n${intro}\n\n${paint('dim', shorten(file))}\n${excerpt}\n`,
  };
}

function showNext(words: Words): Step {
  const commands: readonly (readonly [string, MessageKey])[] = [
    [ownCommand('parley examples'), 'tour.next.examples'],
    [ownCommand('parley manifest init'), 'tour.next.init'],
    [ownCommand('parley manifest validate manifest.json'), 'tour.next.validate'],
    [ownCommand('parley --help'), 'tour.next.help'],
  ];
  const width = Math.max(...commands.map(([command]) => command.length));
  const lines = (paint: Paint) =>
    commands.map(([command, key]) => `  ${paint('cyan', command.padEnd(width))}  ${words.say(key)}\n`).join('');
  return {
    id: 'next',
    json: commands.map(([command]) => command),
    text: (paint) => `${paint('bold', words.say('tour.next'))}\n${lines(paint)}`,
  };
}
