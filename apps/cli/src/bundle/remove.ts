import { describeKept, type RemoveReply, readWorkspaceState, rollback, uninstall } from '@parley/bundles';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { type BundleOptions, readEnvironment } from './environment.ts';
import { showProgress } from './progress.ts';

export interface RemoveOptions extends BundleOptions {
  readonly evenIfManual?: boolean;
}

interface RemoveDeps {
  readonly how: 'uninstall' | 'rollback';
  readonly words: Words;
}

/** Restores the files from before the bundle, or from before its last activation (BA-5). */
export async function remove(bundleId: string, options: RemoveOptions, deps: RemoveDeps): Promise<CommandResult> {
  const { words, how } = deps;
  return await withInterrupt('bundle.interrupted', async (signal) => {
    const workspace = await findRoot(bundleId, options);
    const { onProgress, clear } = showProgress(words, options.json === true);
    const run = how === 'uninstall' ? uninstall : rollback;
    const input = { workspace, bundleId, evenIfManual: options.evenIfManual === true, signal, onProgress };
    const reply = await run(input).finally(clear);
    return {
      exit: reply.done ? EXIT.fine : EXIT.bad,
      json: reply,
      text: (paint) => formatRemoval(reply, words, paint),
    };
  });
}

/** Depending on its scope, a bundle is in the workspace or in the global folder. */
export async function findRoot(bundleId: string, options: RemoveOptions): Promise<string> {
  const { roots } = readEnvironment(options);
  for (const root of [roots.workspace, roots.global]) {
    if (root === undefined) continue;
    const { state } = await readWorkspaceState(root, []);
    if (state.bundles.some(({ id }) => id === bundleId)) return root;
  }
  const params = { id: bundleId, workspace: roots.workspace };
  throw new CommandError('BUNDLE_NOT_INSTALLED', { sentences: [{ key: 'remove.not_installed', params }] });
}

export function formatRemoval(reply: RemoveReply, words: Words, paint: Paint): string {
  const id = displayName(reply.bundleId);
  if (!reply.done) {
    const steps = reply.manual.map(({ path, remove: what }) =>
      words.say(`remove.manual_${what}`, { path: displayName(path) }),
    );
    return `${paint('yellow', words.say('remove.manual', { id }))}\n${steps.map((step) => `  ${step}\n`).join('')}`;
  }
  const done =
    reply.version === null
      ? words.say('remove.done', { id })
      : words.say('remove.rolled_back', { id, version: displayName(reply.version) });
  const files = words.say('remove.files', {
    restored: reply.filesRestored.length,
    removed: reply.filesRemoved.length,
  });
  const kept = reply.kept.map((file) => `  ${paint('yellow', `! ${describeKept(file, words.locale)}`)}\n`);
  return `${paint('green', '✓')} ${done}\n  ${files}\n${kept.join('')}`;
}
