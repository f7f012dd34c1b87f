import { askYesNo, isAtTerminal } from '../ask.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { ownCommand } from '../own-command.ts';
import { show } from '../print.ts';
import { carryOut } from './activate.ts';
import type { BundleOptions } from './environment.ts';
import { formatPreview } from './format-preview.ts';
import { toPreviewJson } from './json-output.ts';
import { formatNextCommand } from './next-command.ts';
import { type PreviewedSource, previewSource } from './preview-source.ts';
import { refuseInvalid } from './validate.ts';

export interface InstallOptions extends BundleOptions {
  readonly yes?: boolean;
  readonly planDigest?: string;
}

/** Shows the plan, asks and carries it out. Without a terminal the caller must name the digest of the plan they have seen. */
export async function install(
  reference: string,
  options: InstallOptions,
  words: Words,
  program: string,
): Promise<CommandResult> {
  if (options.yes && options.planDigest === undefined) {
    throw new CommandError('USAGE', { sentences: [{ key: 'install.yes_needs_digest' }] });
  }
  return await withInterrupt('bundle.interrupted', async (signal) => {
    const previewed = await previewSource(reference, options, { words, signal });
    if (!previewed.result.ok) return refuseInvalid(previewed.source, previewed.result.failure.validation, words);
    return await decide(reference, previewed, { options, words, program });
  });
}

interface InstallDeps {
  readonly options: InstallOptions;
  readonly words: Words;
  readonly program: string;
}

async function decide(
  reference: string,
  previewed: PreviewedSource,
  { options, words, program }: InstallDeps,
): Promise<CommandResult> {
  const { result, workspace, source } = previewed;
  if (!result.ok) throw new TypeError('previewed: must be a valid bundle');
  const { plan, prepared } = result;
  const { planDigest } = plan;
  const { signal } = previewed.input;
  const shown = { words, workspace, origin: source.origin };
  if (options.yes && options.planDigest !== undefined) {
    return await carryOut(prepared, { planDigest: options.planDigest, json: options.json === true, signal }, words);
  }
  if (result.plan.operations.length === 0 && result.plan.conflicts.length === 0) {
    const text = words.say('install.same', { workspace: displayName(workspace) });
    const json = { unchanged: true, ...toPreviewJson(result, { locale: words.locale, origin: source.origin }) };
    return { exit: EXIT.fine, json, text: (paint) => `${paint('green', '✓')} ${text}\n` };
  }
  const blocked = result.plan.conflicts.length > 0 || result.missing.some(({ reason }) => reason !== null);
  const asks = !blocked && !options.json && isAtTerminal() && process.stdout.isTTY;
  if (!asks) {
    const command = formatNextCommand(ownCommand(`${program} install --yes`), reference, options, planDigest);
    const error = new CommandError(blocked ? 'INSTALL_BLOCKED' : 'CONFIRMATION_NEEDED', { params: { command } });
    const message = error.explain(words.locale);
    return {
      exit: error.exit,
      json: {
        error: { code: error.code, message },
        ...toPreviewJson(result, { locale: words.locale, origin: source.origin }),
      },
      text: (paint) => formatPreview(result, { ...shown, paint }),
      stderr: (paint) => `${paint(blocked ? 'red' : 'yellow', message)}\n`,
    };
  }
  await show(process.stdout, (paint) => `${formatPreview(result, { ...shown, paint })}\n`);
  await ask(previewed, words);
  return await carryOut(prepared, { planDigest, signal }, words);
}

async function ask({ result, workspace }: PreviewedSource, words: Words): Promise<void> {
  const risk = result.ok ? result.reply.preview.risk : 'critical';
  const question = words.say('install.ask', { workspace, risk: words.say(`risk.${risk}`) });
  if (!(await askYesNo(question, words, { cancelled: 'bundle.interrupted' }))) throw new CommandError('DECLINED');
}
