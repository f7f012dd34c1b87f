import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Longest first. A file that takes a minute and begins last is a minute in which the other processes have nothing to do. */
export const SLOW = [
  'packages/documents/tests/fuzz.test.ts',
  'packages/bundles/tests/crash.test.ts',
  'scripts/guides/guides.test.mjs',
  'packages/messenger/src/stores/backup.test.ts',
  'apps/web/tests/live/accessibility-makers.test.ts',
  'apps/web/tests/live/attacks.test.ts',
  'apps/cli/tests/live/chat.test.ts',
  'apps/server/tests/process.test.ts',
  'apps/web/tests/live/accessibility.test.ts',
  'packages/server/src/storage/embedded.test.ts',
  'apps/web/tests/live/changes.test.ts',
  'packages/skills/tests/live/durable.test.ts',
  'apps/web/tests/live/skills.test.ts',
  'apps/web/tests/live/developer.test.ts',
  'packages/client/tests/live/webhook/reconnect.test.ts',
  'packages/client/tests/live/devices.test.ts',
  'apps/web/tests/live/talk.test.ts',
  'packages/server/tests/hostile.test.ts',
  'packages/server/tests/matrix.test.ts',
  'apps/cli/tests/live/roleos.test.ts',
  'apps/web/tests/live/accessibility-people.test.ts',
  'apps/web/tests/live/notifications.test.ts',
  'apps/web/tests/live/agent-events.test.ts',
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
