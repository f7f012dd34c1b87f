import { type ActivationRefusal, activatePrepared, describeConflict, type PreparedBundle } from '@parley/bundles';
import { toFindingReply } from '@parley/documents/bundle';
import { errorText } from '@parley/protocol';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import type { BundleOptions } from './environment.ts';
import { previewSource } from './preview-source.ts';
import { showProgress } from './progress.ts';
import { refuseInvalid } from './validate.ts';

export interface ActivateOptions extends BundleOptions {
  readonly planDigest: string;
}

/** Does exactly what was previewed or nothing (BA-2), without asking. */
export async function activate(reference: string, options: ActivateOptions, words: Words): Promise<CommandResult> {
  return await withInterrupt('bundle.interrupted', async (signal) => {
    const { source, result } = await previewSource(reference, options, { words, signal });
    if (!result.ok) return refuseInvalid(source, result.failure.validation, words);
    return await carryOut(result.prepared, { ...options, signal }, words);
  });
}

/** Activates what was previewed. Ctrl-C undoes everything until the change is committed; after that it has no effect. */
export async function carryOut(
  prepared: PreparedBundle,
  { signal, ...options }: { planDigest: string; json?: boolean; signal: AbortSignal | undefined },
  words: Words,
): Promise<CommandResult> {
  const { onProgress, clear } = showProgress(words, options.json === true);
  const planDigest = withPrefix(options.planDigest);
  const result = await activatePrepared(prepared, { planDigest, signal, onProgress }).finally(clear);
  if (!result.ok) return refuse(result.failure, words);
  const { reply } = result;
  const late = signal?.aborted === true ? `${words.say('install.too_late')}\n` : '';
  return {
    exit: EXIT.fine,
    json: { ...reply, warnings: reply.warnings.map(toFindingReply) },
    text: (paint) => {
      const params = {
        name: displayName(reply.bundleName),
        id: reply.bundleId,
        version: displayName(reply.version),
        workspace: displayName(reply.workspace),
      };
      const files = words.say('install.files', {
        created: reply.filesCreated.length,
        modified: reply.filesModified.length,
        removed: reply.filesRemoved.length,
        id: reply.bundleId,
      });
      const entry = words.say('install.entry', { role: reply.entryRole });
      return `${late}${paint('green', '✓')} ${words.say('install.done', params)}\n  ${files}\n  ${entry}\n`;
    },
  };
}

const withPrefix = (digest: string): string => (digest.startsWith('sha256:') ? digest : `sha256:${digest}`);

function refuse(failure: ActivationRefusal, words: Words): CommandResult {
  const { locale } = words;
  const message = errorText(failure.code, locale);
  const error = { code: failure.code, message };
  const details = (): { json: object; lines: string[] } => {
    switch (failure.code) {
      case 'PLAN_CHANGED':
        return {
          json: { planDigest: failure.planDigest },
          lines: [words.say('preview.plan', { digest: failure.planDigest })],
        };
      case 'WORKSPACE_CONFLICT': {
        const conflicts = failure.conflicts.map((one) => ({ ...one, message: describeConflict(one, locale) }));
        return { json: { conflicts }, lines: conflicts.map((one) => one.message) };
      }
      case 'ASSERTION_FAILED': {
        const failed = failure.assertions.filter(({ passed }) => !passed);
        return { json: { assertions: failure.assertions }, lines: failed.map(({ id }) => displayName(id)) };
      }
    }
  };
  const { json, lines } = details();
  return {
    exit: EXIT.bad,
    json: { error, ...json },
    text: () => '',
    stderr: (paint) => `${paint('red', message)}\n${lines.map((line) => `  ${line}\n`).join('')}`,
  };
}
