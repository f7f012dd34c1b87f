import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Longest first. A file that takes a minute and begins last is a minute in which the other processes have nothing to do. */
export const SLOW = [
  'scripts/packages/packages.test.mjs',
  'packages/documents/tests/fuzz.test.ts',
  'packages/bundles/tests/crash.test.ts',
  'scripts/release/release.test.mjs',
  'packages/messenger/src/stores/backup.test.ts',
  'apps/cli/tests/server.test.ts',
  'apps/cli/tests/package.test.ts',
  'packages/messenger/tests/browser.test.ts',
  'apps/cli/tests/roleos.test.ts',
  'apps/cli/tests/command.test.ts',
  'packages/bundles/tests/faults.test.ts',
  'apps/cli/tests/loading.test.ts',
  'apps/cli/tests/roleos-help.test.ts',
  'packages/skills/tests/invoke.test.ts',
  'packages/documents/src/skill/diff-property.test.ts',
  'scripts/setup/prepare.test.mjs',
  'apps/cli/tests/skill.test.ts',
  'apps/cli/tests/live/chat.test.ts',
  'apps/web/tests/live/accessibility-makers.test.ts',
  'apps/server/tests/process.test.ts',
  'apps/web/tests/live/attacks.test.ts',
  'packages/server/src/storage/embedded.test.ts',
  'apps/web/tests/live/accessibility.test.ts',
  'packages/client/tests/live/webhook/reconnect.test.ts',
  'apps/web/tests/live/skills.test.ts',
  'packages/skills/tests/live/durable.test.ts',
  'apps/web/tests/live/accessibility-people.test.ts',
  'apps/cli/tests/live/roleos.test.ts',
  'apps/web/tests/live/developer.test.ts',
  'apps/web/tests/live/changes.test.ts',
  'packages/client/tests/live/devices.test.ts',
  'scripts/packages/runtimes/runtimes.test.mjs',
  'apps/web/tests/live/agent-events.test.ts',
  'apps/web/tests/live/notifications.test.ts',
  'apps/web/tests/live/offline.test.ts',
  'apps/web/tests/live/hashee.test.ts',
  'packages/server/tests/hostile.test.ts',
  'packages/server/tests/backup.test.ts',
  'apps/web/tests/live/talk.test.ts',
  'apps/web/tests/live/film.test.ts',
  'packages/server/tests/chaos.test.ts',
  'packages/server/tests/sockets.test.ts',
  'apps/web/tests/live/bundles.test.ts',
  'packages/server/tests/matrix.test.ts',
  'packages/server/tests/skills-invoke-live.test.ts',
  'packages/agent/tests/live/webhook.test.ts',
  'apps/web/tests/live/passkeys.test.ts',
  'packages/client/tests/live/webhook/devices.test.ts',
  'packages/system-agent/tests/live/hashee.test.ts',
  'packages/server/tests/webhooks.test.ts',
  'packages/client/tests/live/changes.test.ts',
  'packages/client/tests/live/attacks/messages.test.ts',
  'packages/client/tests/live/conformance.test.ts',
  'packages/client/tests/live/attacks/keys.test.ts',
  'packages/client/tests/live/attacks/replies.test.ts',
  'packages/client/tests/live/attacks/grants.test.ts',
];

/** In a fresh clone vitest has no durations to go by, and takes the size of a file for its time. */
export class SlowFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    // Projects take turns, in the order in which they are sorted.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ moduleId }) => {
      const place = SLOW.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
      return place === -1 ? SLOW.length : place;
    };
    const turn = ({ project }) => projects.indexOf(project);
    return sorted.toSorted((a, b) => turn(a) - turn(b) || rank(a) - rank(b));
  }
}

/** Where the order is to be another each time, vitest's own sequencer makes it. */
export const chooseOrder = (args) =>
  args.some((arg) => arg.startsWith('--sequence.shuffle')) ? {} : { sequencer: SlowFirst };
