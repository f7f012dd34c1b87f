import { EXIT, Failure } from '../failure.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { show } from '../print.ts';
import { displayName } from '../show.ts';
import { carryOut } from './activate.ts';
import { explainBundle } from './explain.ts';
import { formatPreview } from './format-preview.ts';
import { type Look, look } from './look.ts';
import { recall } from './recall.ts';
import type { BundleOptions } from './surroundings.ts';
import { refuseInvalid } from './validate.ts';
import { wirePreview } from './wire.ts';

export interface InstallOptions extends BundleOptions {
  readonly yes?: boolean;
  readonly planDigest?: string;
}

/** Shows what would happen, asks, and does it. Whoever cannot be asked names the plan they have seen. */
export async function install(wish: string, options: InstallOptions, words: Words, program: string): Promise<Outcome> {
  if (options.yes && options.planDigest === undefined) {
    throw new Failure('USAGE', EXIT.usage, { key: 'install.yes_needs_digest' });
  }
  try {
    return await withInterrupt('bundle.interrupted', async (signal) => {
      const looked = await look(wish, options, { words, signal });
      if (!looked.result.ok) return refuseInvalid(looked.source, looked.result.failure.validation, words);
      return await decide(wish, looked, { options, words, program });
    });
  } catch (error) {
    throw explainBundle(error, words, program);
  }
}

interface Means {
  readonly options: InstallOptions;
  readonly words: Words;
  readonly program: string;
}

async function decide(wish: string, looked: Look, { options, words, program }: Means): Promise<Outcome> {
  const { result, workspace, source } = looked;
  if (!result.ok) throw new TypeError('looked: must be a valid bundle');
  const { plan, prepared } = result;
  const { planDigest } = plan;
  const { signal } = looked.input;
  const shown = { words, workspace, origin: source.origin };
  if (options.yes && options.planDigest !== undefined) {
    return await carryOut(prepared, { planDigest: options.planDigest, json: options.json === true, signal }, words);
  }
  if (result.plan.operations.length === 0 && result.plan.conflicts.length === 0) {
    const text = words.say('install.same', { workspace: displayName(workspace) });
    const json = { unchanged: true, ...wirePreview(result, { locale: words.locale, origin: source.origin }) };
    return { exit: EXIT.fine, json, text: (paint) => `${paint('green', '✓')} ${text}\n` };
  }
  const blocked = result.plan.conflicts.length > 0 || result.missing.some(({ reason }) => reason !== null);
  const asks = !blocked && !options.json && process.stdin.isTTY && process.stdout.isTTY;
  if (!asks) {
    const code = blocked ? 'INSTALL_BLOCKED' : 'CONFIRMATION_NEEDED';
    const command = recall(`${program} install --yes`, wish, options, planDigest);
    const message = words.say(blocked ? 'install.blocked' : 'install.confirm', { command });
    return {
      exit: EXIT.bad,
      json: { error: { code, message }, ...wirePreview(result, { locale: words.locale, origin: source.origin }) },
      text: (paint) => formatPreview(result, { ...shown, paint }),
      complaints: (paint) => `${paint(blocked ? 'red' : 'yellow', message)}\n`,
    };
  }
  await show(process.stdout, (paint) => `${formatPreview(result, { ...shown, paint })}\n`);
  await ask(looked, words);
  return await carryOut(prepared, { planDigest, signal }, words);
}

async function ask({ result, workspace }: Look, words: Words): Promise<void> {
  // Loaded only here: the prompts are the slowest part of starting up.
  const { confirm, isCancel } = await import('@clack/prompts');
  const risk = result.ok ? result.reply.preview.risk : 'critical';
  const answer = await confirm({
    message: words.say('install.ask', { workspace, risk: words.say(`risk.${risk}`) }),
    active: words.say('install.ask_yes'),
    inactive: words.say('install.ask_no'),
    initialValue: false,
  });
  if (isCancel(answer)) throw new Failure('CANCELLED', EXIT.interrupted, { key: 'bundle.interrupted' });
  if (!answer) throw new Failure('DECLINED', EXIT.bad, { key: 'install.declined' });
}
