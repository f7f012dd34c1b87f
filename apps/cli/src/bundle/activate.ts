import { type ActivationRefusal, activatePrepared, describeConflict, type PreparedBundle } from '@parley/bundles';
import { errorText } from '@parley/protocol';
import { EXIT } from '../failure.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { displayName } from '../show.ts';
import { explainBundle } from './explain.ts';
import { look } from './look.ts';
import { showProgress } from './progress.ts';
import type { BundleOptions } from './surroundings.ts';
import { refuseInvalid } from './validate.ts';
import { wireFinding } from './wire.ts';

export interface ActivateOptions extends BundleOptions {
  readonly planDigest: string;
}

/** Does what was previewed, or nothing (BA-2). Never asks. */
export async function activate(
  wish: string,
  options: ActivateOptions,
  words: Words,
  program: string,
): Promise<Outcome> {
  try {
    return await withInterrupt('bundle.interrupted', async (signal) => {
      const looked = await look(wish, options, { words, signal });
      if (!looked.result.ok) return refuseInvalid(looked.source, looked.result.failure.validation, words);
      return await carryOut(looked.result.prepared, { ...options, signal }, words);
    });
  } catch (error) {
    throw explainBundle(error, words, program);
  }
}

/** The activation of what was previewed. Until the moment of truth Ctrl-C puts everything back; after it, it comes too late. */
export async function carryOut(
  prepared: PreparedBundle,
  { signal, ...options }: { planDigest: string; json?: boolean; signal: AbortSignal | undefined },
  words: Words,
): Promise<Outcome> {
  const { onProgress, clear } = showProgress(words, options.json === true);
  const planDigest = withPrefix(options.planDigest);
  const result = await activatePrepared(prepared, { planDigest, signal, onProgress }).finally(clear);
  if (!result.ok) return refuse(result.failure, words);
  const { reply } = result;
  const late = signal?.aborted === true ? `${words.say('install.too_late')}\n` : '';
  return {
    exit: EXIT.fine,
    json: { ...reply, warnings: reply.warnings.map(wireFinding) },
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

function refuse(failure: ActivationRefusal, words: Words): Outcome {
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
    complaints: (paint) => `${paint('red', message)}\n${lines.map((line) => `  ${line}\n`).join('')}`,
  };
}
