import { type BundleStatus, describeDrift, type Recovery, type WorkspaceStatus } from '@parley/bundles';
import { formatRoutes } from '../bundle/format-routes.ts';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';

interface StatusContext {
  readonly words: Words;
  readonly paint: Paint;
}

interface StatusByRoot {
  readonly workspace: WorkspaceStatus;
  readonly global: WorkspaceStatus | undefined;
}

export function formatStatus({ workspace, global }: StatusByRoot, context: StatusContext): string {
  const { words, paint } = context;
  const bundles = [...workspace.bundles, ...(global?.bundles ?? [])];
  if (bundles.length === 0) return `${words.say('status.no_bundles')}\n`;
  const due = [...workspace.dueUpdates, ...(global?.dueUpdates ?? [])].map(({ bundleId, kit, dueSince }) => {
    const params = { bundle: displayName(bundleId), kit: displayName(kit), time: dueSince.slice(0, 10) };
    return `${paint('yellow', `! ${words.say('status.due', params)}`)}\n`;
  });
  return `${bundles.map((bundle) => formatBundle(bundle, context)).join('')}${due.length > 0 ? '\n' : ''}${due.join('')}`;
}

function formatBundle(bundle: BundleStatus, { words, paint }: StatusContext): string {
  const { say } = words;
  const { id, version, name, scope, target, drift, routes, previousVersion } = bundle;
  const title = `${displayName(id)} ${displayName(version)}`;
  const mark = drift.length > 0 ? paint('red', '✗') : paint('green', '✓');
  const lines = [
    `  ${say('status.kind', { scope: say(`scope.${scope}`), target: displayName(target), entry: displayName(bundle.entryRole) })}`,
    ...(previousVersion === null ? [] : [`  ${say('status.previous', { version: displayName(previousVersion) })}`]),
    ...(routes === null ? [] : formatRoutes(routes, words).map((line) => `  ${line}`)),
    ...(drift.length === 0 ? [] : [`  ${paint('red', say('status.drift'))}`]),
    ...drift.map((one) => `    ${paint('red', `✗ ${describeDrift(one, words.locale)}`)}`),
  ];
  return `\n${mark} ${paint('bold', title)}  ${displayName(name)}\n${lines.join('\n')}\n`;
}

/** Formats what an interrupted change left behind. */
export function formatRecovery({ undone, leftovers }: Recovery, words: Words, paint: Paint): string {
  if (!undone) return '';
  const lines = leftovers.map(({ path, original }) =>
    original === null
      ? words.say('recovery.left', { path: displayName(path) })
      : words.say('recovery.kept', { path: displayName(path), original: displayName(original) }),
  );
  return `${paint('yellow', words.say('recovery.undone'))}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
