import { readBundle } from '@parley/documents/bundle';
import { bundleRoutes } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName, displaySentence } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { chooseRegistry } from './environment.ts';
import { loadLocal } from './source.ts';
import { refuseInvalid } from './validate.ts';

/** Publishes a version with the files of its kits to the registry. A published version never changes. */
export async function publish(
  path: string,
  options: { registry?: string },
  words: Words,
  program: string,
): Promise<CommandResult> {
  const source = await loadLocal(path, words.locale);
  // Validated before anything is sent, because only here the findings have lines and columns.
  const validation = source.rejected ?? readBundle(source.manifest, { locale: words.locale }).validation;
  if (!validation.valid) return refuseInvalid(source, validation, words);
  const registry = chooseRegistry(options);
  const kits = Object.fromEntries(
    [...source.kitFiles].map(([id, files]) => [
      id,
      files.map((file) => ({
        path: file.path,
        data: Buffer.from(file.bytes).toString('base64'),
        executable: file.executable === true,
      })),
    ]),
  );
  const api = openAccountApi(registry, program.split(' ')[0]!);
  const reply = await withInterrupt('publish.interrupted', (signal) =>
    api.call(bundleRoutes.publishBundle, { body: { manifest: source.manifest, kits }, signal }),
  );
  const params = { id: displayName(reply.id), version: displayName(reply.version), registry };
  return {
    exit: EXIT.fine,
    json: { ...reply, registry },
    text: (paint) =>
      [
        `${paint('green', '✓')} ${words.say('publish.done', params)}`,
        `  ${words.say('publish.digest', { digest: reply.digest })}`,
        ...reply.changes.map(({ consent, message }) => {
          const line = displaySentence(message);
          return consent === 'reauth' ? `  ${paint('red', `! ${line}`)}` : `    ${line}`;
        }),
        `  ${words.say('publish.next', params)}`,
        '',
      ].join('\n'),
  };
}
