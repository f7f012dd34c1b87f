import { uptime } from 'node:os';
import {
  type Recovery,
  type RemoveReply,
  readWorkspaceState,
  startWorkspaceSession,
  statusOf,
  stopWorkspaceSession,
  type WorkspaceStatus,
} from '@parley/bundles';
import { type BundleOptions, readEnvironment } from '../bundle/environment.ts';
import { formatRemoval } from '../bundle/remove.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { formatRecovery, formatStatus } from './format-status.ts';

interface Found {
  readonly recovery: Recovery;
  readonly status: WorkspaceStatus;
}

/** Starts the session that bundles of the scope `session` belong to, and reports drift. */
export async function start(options: BundleOptions, words: Words): Promise<CommandResult> {
  return inWorkspace(options, async (workspace, signal, global) => {
    const { state } = await readWorkspaceState(workspace, []);
    const isOpen = state.session !== null && isAfterBoot(state.session.startedAt);
    const session = isOpen ? undefined : await startWorkspaceSession({ workspace, signal });
    const {
      recovery,
      status,
      removed = [],
    }: Found & { removed?: readonly RemoveReply[] } = session ?? (await readStatus(workspace));
    const everywhere = global === undefined ? undefined : (await readStatus(global)).status;
    const bundles = [...status.bundles, ...(everywhere?.bundles ?? [])];
    const drifted = bundles.some(({ drift }) => drift.length > 0);
    return {
      exit: drifted ? EXIT.bad : EXIT.fine,
      json: { workspace, alreadyStarted: isOpen, removed, recovery, ...status, bundles },
      text: (paint) =>
        [
          formatRecovery(recovery, words, paint),
          ...removed.map((reply) => formatRemoval(reply, words, paint)),
          `${paint('green', '✓')} ${words.say(isOpen ? 'control.already' : 'control.started', {
            workspace: displayName(workspace),
            time: status.session?.startedAt ?? '',
          })}\n`,
          formatStatus({ workspace: status, global: everywhere }, { words, paint }),
        ].join(''),
    };
  });
}

/** Ends the session and removes its bundles. */
export async function stop(options: BundleOptions, words: Words): Promise<CommandResult> {
  return inWorkspace(options, async (workspace, signal) => {
    const { state } = await readWorkspaceState(workspace, []);
    const removed = await stopWorkspaceSession({ workspace, signal });
    const wasOpen = state.session !== null;
    return {
      exit: EXIT.fine,
      json: { workspace, stopped: wasOpen, removed },
      text: (paint) =>
        [
          ...removed.map((reply) => formatRemoval(reply, words, paint)),
          `${words.say(wasOpen ? 'control.stopped' : 'control.not_started', { workspace: displayName(workspace) })}\n`,
        ].join(''),
    };
  });
}

/** Reports the control layer, the installed bundles with their hand-overs, and every problem. */
export async function status(options: BundleOptions, words: Words): Promise<CommandResult> {
  return inWorkspace(options, async (workspace, _signal, global) => {
    const { recovery, status: here } = await readStatus(workspace);
    const everywhere = global === undefined ? undefined : (await readStatus(global)).status;
    const bundles = [...here.bundles, ...(everywhere?.bundles ?? [])];
    const dueUpdates = [...here.dueUpdates, ...(everywhere?.dueUpdates ?? [])];
    const isOpen = here.session !== null && isAfterBoot(here.session.startedAt);
    return {
      exit: bundles.some(({ drift }) => drift.length > 0) ? EXIT.bad : EXIT.fine,
      json: {
        workspace,
        control: { state: isOpen ? 'started' : 'stopped', session: here.session },
        recovery,
        bundles,
        dueUpdates,
      },
      text: (paint) => {
        const key = isOpen ? 'control.is_started' : 'control.is_stopped';
        const params = { workspace: displayName(workspace), time: here.session?.startedAt ?? '' };
        return [
          formatRecovery(recovery, words, paint),
          `${words.say(key, params)}\n`,
          formatStatus({ workspace: here, global: everywhere }, { words, paint }),
        ].join('');
      },
    };
  });
}

async function readStatus(root: string): Promise<Found> {
  const { recovery, ...found } = await statusOf(root);
  return { recovery, status: found };
}

/** A session ends when the machine restarts. */
const isAfterBoot = (startedAt: string): boolean => Date.parse(startedAt) >= Date.now() - uptime() * 1_000;

async function inWorkspace(
  options: BundleOptions,
  run: (workspace: string, signal: AbortSignal, global: string | undefined) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { roots } = readEnvironment(options);
  return await withInterrupt('bundle.interrupted', (signal) => run(roots.workspace, signal, roots.global));
}
