import { type Change, diffManifests, type ManifestDiff } from '@parley/documents';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import { chooseFiles } from '../input.ts';
import { toDiffJson, toFindingJson } from '../json-output.ts';
import { locatePositions } from '../locate-positions.ts';
import type { Words } from '../messages/index.ts';
import { formatDiff } from './format-diff.ts';
import { type LoadedManifest, loadManifest } from './load.ts';
import { describeInvalid, formatRefusal } from './run-for-each-file.ts';

export interface DiffOptions {
  readonly policy: ManifestDiff['policy'];
  /** Whether a breaking diff is an error, for CI. */
  readonly fail: boolean;
}

export async function diff(
  files: readonly [string, string],
  options: DiffOptions,
  words: Words,
): Promise<CommandResult> {
  chooseFiles(files, 'parley manifest diff');
  const before = await loadManifest(files[0], words.locale);
  const after = await loadManifest(files[1], words.locale);
  if (before.manifest === undefined || after.manifest === undefined) return refuse([before, after], words);
  const { policy, fail } = options;
  const result = diffManifests(before.manifest, after.manifest, { policy, locale: words.locale });
  return {
    exit: result.breaking && fail ? EXIT.bad : EXIT.fine,
    json: toDiffJson(result),
    text: (paint) =>
      formatDiff(result, {
        words,
        paint,
        files: { old: locateChanges(before, result, 'old'), new: locateChanges(after, result, 'new') },
      }),
  };
}

/** Finds the changes of one side in its file. */
function locateChanges({ file, bytes }: LoadedManifest, { changes }: ManifestDiff, side: Change['side']) {
  const paths = changes.filter((change) => change.side === side).map((change) => change.path);
  const found = locatePositions(new TextDecoder().decode(bytes), paths);
  return { name: file, at: (path: string) => found.get(path) };
}

function refuse(pair: readonly LoadedManifest[], words: Words): CommandResult {
  const bad = pair.filter((loaded) => loaded.manifest === undefined);
  const files = pair.map(({ file, findings, manifest }) => ({
    file,
    valid: manifest !== undefined,
    findings: findings.map(toFindingJson),
  }));
  const error = describeInvalid(bad, words);
  return {
    exit: EXIT.bad,
    json: { error, files },
    text: () => '',
    stderr: (paint) => `${bad.map((loaded) => formatRefusal(loaded, words, paint)).join('')}${error.message}\n`,
  };
}
