import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Longest first. A file that takes a minute and begins last is a minute in which the other processes have nothing to do. */
export const SLOW = [
  'scripts/packages/packages.test.mjs',
  'packages/messenger/tests/model/device-list.test.ts',
  'packages/documents/tests/fuzz.test.ts',
  'scripts/release/release.test.mjs',
  'packages/bundles/tests/crash.test.ts',
  'packages/messenger/src/stores/backup.test.ts',
  'apps/cli/tests/roleos.test.ts',
  'packages/messenger/tests/browser.test.ts',
  'apps/cli/tests/package.test.ts',
  'apps/cli/tests/server.test.ts',
  'apps/cli/tests/command.test.ts',
  'packages/documents/src/skill/diff-property.test.ts',
  'packages/bundles/tests/faults.test.ts',
  'apps/cli/tests/loading.test.ts',
  'apps/cli/tests/skill.test.ts',
  'scripts/setup/prepare.test.mjs',
  'packages/messenger/tests/stores/crash.test.ts',
  'apps/cli/tests/hostile.test.ts',
  'apps/web/tests/live/devices.test.ts',
  'apps/cli/tests/live/devices.test.ts',
  'apps/web/tests/live/accessibility-people.test.ts',
  'apps/web/tests/live/attacks.test.ts',
  'apps/web/tests/live/accessibility-makers.test.ts',
  'packages/server/src/storage/embedded.test.ts',
  'apps/server/tests/process.test.ts',
  'apps/web/tests/live/accessibility.test.ts',
  'apps/web/tests/live/members.test.ts',
  'apps/cli/tests/live/agent-webhook.test.ts',
  'apps/web/tests/live/device-lists.test.ts',
  'apps/cli/tests/live/chat.test.ts',
  'apps/web/tests/live/skills.test.ts',
  'apps/web/tests/live/changes.test.ts',
  'packages/server/tests/hostile.test.ts',
  'packages/client/tests/live/attacks/revoked-device.test.ts',
  'packages/server/tests/matrix.test.ts',
  'packages/server/tests/chaos.test.ts',
  'apps/web/tests/live/developer.test.ts',
  'scripts/packages/runtimes/runtimes.test.mjs',
  'apps/cli/tests/live/agent-events.test.ts',
  'packages/create-parley-agent/tests/live/agents.test.ts',
  'apps/web/tests/live/bundles.test.ts',
  'apps/web/tests/live/talk.test.ts',
  'packages/client/tests/live/landed.test.ts',
  'packages/system-agent/tests/live/hashee.test.ts',
  'packages/client/tests/live/changes.test.ts',
  'apps/web/tests/live/hashee.test.ts',
  'apps/cli/tests/live/roleos.test.ts',
  'apps/web/tests/live/offline.test.ts',
  'packages/client/tests/live/attacks/second-look.test.ts',
  'packages/client/tests/live/keepers.test.ts',
  'apps/web/tests/live/film.test.ts',
  'apps/web/tests/live/notifications.test.ts',
  'packages/client/tests/live/attacks/bindings.test.ts',
  'packages/server/tests/backup.test.ts',
  'packages/client/tests/live/conformance.test.ts',
  'packages/client/tests/live/webhook/reconnect.test.ts',
  'packages/client/tests/live/devices.test.ts',
  'packages/client/tests/live/attacks/messages.test.ts',
  'apps/cli/tests/live/account-attacks.test.ts',
  'apps/web/tests/live/agent-events.test.ts',
  'packages/client/tests/live/system-agent.test.ts',
  'packages/skills/tests/live/durable.test.ts',
  'packages/server/tests/sockets.test.ts',
  'apps/cli/tests/live/bundle-agent.test.ts',
  'packages/server/tests/webhooks.test.ts',
  'apps/web/tests/live/passkeys.test.ts',
  'packages/client/tests/live/webhook/devices.test.ts',
  'packages/client/tests/live/webhook/clock.test.ts',
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
