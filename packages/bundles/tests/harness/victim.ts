import { join } from 'node:path';
import { activateBundle, recover, rollback, uninstall } from '../../src/index.ts';
import { tinyBundle } from './bundle.ts';
import { copyTree } from './copy-tree.ts';
import { watchFiles } from './stopping-files.ts';

/**
 * Does one thing in a workspace and dies before its nth file operation; or keeps, before each of them, the workspace as
 * it would be left if it died there. Prints how many there were if it lives.
 */
const [action, workspace = '', last = '0', kept] = process.argv.slice(2);
let steps = 0;
const files = watchFiles((name) => {
  // What has been written survives a killed process with or without it.
  if (name === 'sync') return;
  if (++steps === Number(last)) process.kill(process.pid, 'SIGKILL');
  if (kept !== undefined) copyTree(workspace, join(kept, String(steps)));
});

const ACTIONS: Record<string, () => Promise<unknown>> = {
  activate: () => activateBundle({ manifest: tinyBundle(), roots: { workspace }, target: 'plain', files }),
  upgrade: () => activateBundle({ manifest: upgraded(), roots: { workspace }, target: 'plain', files }),
  uninstall: () => uninstall({ workspace, bundleId: 'tiny', files }),
  rollback: () => rollback({ workspace, bundleId: 'tiny', files }),
  recover: () => recover(workspace, { files }),
};

function upgraded(): Record<string, unknown> {
  const kits = [{ id: 'calendar', label: 'Calendar', capabilities: ['Tell the day'], riskLevel: 'low' }];
  return tinyBundle({ version: '2.0.0', summary: 'One role, and the day.', kits });
}

await ACTIONS[action ?? '']?.();
process.stdout.write(String(steps));
