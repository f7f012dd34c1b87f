import { describe, expect, it } from 'vitest';
import { checkLayers, findCycles, readSources } from './check-layers.mjs';
import { ROOT } from './files.mjs';

const ROOMS = [
  'documents',
  'protocol',
  'guarded-fetch',
  'e2ee',
  'messenger',
  'server',
  'agent',
  'client',
  'bundles',
  'skills',
  'system-agent',
  'testkit',
];

/** A house in which every room declares every other, so that only the layers decide. */
function house(sources) {
  const dependencies = Object.fromEntries(ROOMS.map((room) => [`@parley/${room}`, '*']));
  const files = { 'package.json': { devDependencies: { vitest: '*' } } };
  for (const room of ROOMS) {
    const exports = { '.': './dist/index.js', './node': './dist/node.js' };
    files[`packages/${room}/package.json`] = {
      name: `@parley/${room}`,
      exports,
      dependencies: { ...dependencies, pg: '*' },
    };
  }
  files['apps/cli/package.json'] = { name: '@parley/cli', dependencies };
  const manifests = Object.entries(files).map(([path, manifest]) => [path, JSON.stringify(manifest)]);
  return new Map([...manifests, ...Object.entries(sources)]);
}

const check = (path, source) => checkLayers(house({ [path]: source }));

describe('HS-2 dependencies point one way', () => {
  const allowed = {
    documents: '',
    protocol: 'documents',
    'guarded-fetch': '',
    e2ee: 'documents protocol',
    messenger: 'documents protocol e2ee',
    server: 'documents protocol guarded-fetch bundles skills',
    agent: 'documents protocol e2ee messenger',
    client: 'documents protocol guarded-fetch e2ee messenger',
    bundles: 'documents protocol guarded-fetch',
    skills: 'documents protocol guarded-fetch',
    'system-agent': 'documents agent',
    testkit: 'documents protocol e2ee messenger server agent client bundles skills',
  };

  it.each(Object.entries(allowed))('%s may import exactly: %s', (room, targets) => {
    const accepted = ROOMS.filter(
      (target) => check(`packages/${room}/src/index.ts`, `import type { X } from '@parley/${target}'`).length === 0,
    );
    expect(accepted).toEqual(targets.split(' ').filter((target) => target !== ''));
  });

  it('refuses a server that could open envelopes, even by a re-export or a deferred import', () => {
    const refusal = ['packages/server/src/auth/a.ts:1: server may not import e2ee'];
    expect(check('packages/server/src/auth/a.ts', "export { open } from '@parley/e2ee'")).toEqual(refusal);
    expect(check('packages/server/src/auth/a.ts', "await import('@parley/e2ee/node')")).toEqual(refusal);
  });

  it('EE-15 rows that say who someone is are read in one place, where they are compared with what was signed', () => {
    const reads = 'const row = await api.call(deviceRoutes.accountDevices, { params });';
    expect(check('packages/messenger/src/binding/accounts.ts', reads)).toEqual([]);
    for (const path of [
      'packages/client/src/agents/consents.ts',
      'packages/agent/src/grants.ts',
      'apps/cli/src/chat.ts',
    ]) {
      expect(check(path, reads)).toEqual([expect.stringContaining('accountDevices says what has to be compared')]);
      expect(check(path, 'api\n  .call(\n    readLedger, {})')).toHaveLength(1);
    }
    expect(check('packages/client/src/client.ts', 'api.call(deviceRoutes.listDevices)')).toEqual([]);
    expect(check('packages/client/src/agents/x.ts', 'api.call(deviceRoutes.listDevices)')).toHaveLength(1);
  });

  it('lets an app import any package, and tests the test kit', () => {
    expect(check('apps/cli/src/a.ts', "import '@parley/e2ee'; import '@parley/server'")).toEqual([]);
    expect(check('packages/documents/src/a.test.ts', "import '@parley/testkit'; import 'vitest'")).toEqual([]);
    expect(check('packages/agent/tests/a.ts', "import '@parley/server'")).toEqual([]);
  });

  it('refuses the test kit outside tests', () => {
    expect(check('apps/cli/src/a.ts', "import '@parley/testkit'")).toEqual([
      'apps/cli/src/a.ts:1: testkit is for tests only',
    ]);
  });

  it('refuses a package that has no place in the table', () => {
    expect(check('packages/attic/src/a.ts', "import '@parley/documents'")).toEqual([
      'packages/attic/src/a.ts:1: packages/attic has no place in LAYERS of scripts/check-layers.mjs',
    ]);
  });

  it('refuses a way past the exports, and a package that does not exist', () => {
    expect(check('apps/cli/src/a.ts', "import '@parley/documents/src/json/value.ts'")).toEqual([
      'apps/cli/src/a.ts:1: @parley/documents/src/json/value.ts goes past the exports of @parley/documents',
    ]);
    expect(check('apps/cli/src/a.ts', "import '@parley/nothing'")).toEqual([
      'apps/cli/src/a.ts:1: @parley/nothing is no package of ours',
    ]);
    expect(check('apps/cli/src/a.ts', "import '@parley/e2ee/node'")).toEqual([]);
  });

  it('refuses a relative import that leaves its package, in tests too', () => {
    const path = 'packages/protocol/src/a.test.ts';
    expect(check(path, "import '../../documents/src/finding.ts'")).toEqual([
      `${path}:1: ../../documents/src/finding.ts leaves packages/protocol: import the package by its name`,
    ]);
  });

  it('lets tests share a script with the commands, and nothing else', () => {
    expect(check('packages/documents/tests/a.test.ts', "import '../../../scripts/suite.mjs'")).toEqual([]);
    expect(check('packages/documents/src/a.ts', "import '../../../scripts/suite.mjs'")).toHaveLength(1);
  });

  it('PK-4 lets the recipe of a bundle use a script, and what is bundled come from the development dependencies', () => {
    const script = "import '../../scripts/setup/third-party.mjs'";
    expect(check('apps/cli/rolldown.config.ts', script)).toEqual([]);
    expect(check('apps/cli/src/index.ts', "import '../../../scripts/setup/third-party.mjs'")).toHaveLength(1);
    const files = (room) =>
      new Map([
        [`${room}/package.json`, JSON.stringify({ name: 'one', devDependencies: { commander: '*' } })],
        [`${room}/src/index.ts`, "import 'commander'"],
      ]);
    expect(checkLayers(files('apps/cli'))).toEqual([]);
    expect(checkLayers(files('apps/server'))).toHaveLength(1);
  });

  it('refuses a dependency that the package does not declare', () => {
    expect(check('packages/server/src/auth/a.ts', "import 'pg'; import 'pg/lib/x'")).toEqual([]);
    expect(check('packages/server/src/auth/a.ts', "import '@scope/left-pad/x'")).toEqual([
      'packages/server/src/auth/a.ts:1: @scope/left-pad is not in the dependencies of packages/server',
    ]);
    expect(check('packages/server/src/auth/a.ts', "import 'vitest'")).toEqual([
      'packages/server/src/auth/a.ts:1: vitest is not in the dependencies of packages/server',
    ]);
  });

  it('refuses an import whose name is computed', () => {
    expect(check('apps/cli/src/a.ts', 'import(name)')).toEqual([
      'apps/cli/src/a.ts:1: imports a computed name, which no check can follow',
    ]);
  });
});

describe('HS-2 what lies side by side is above or below, never both', () => {
  it('HS-2 reports a cycle of files with the imports that make it', () => {
    const sources = {
      'packages/client/src/b.ts': "import './c.ts'",
      'packages/client/src/c.ts': "export * from './b.ts'",
    };
    expect(checkLayers(house(sources))).toEqual([
      'import cycle in packages/client/src: b.ts → c.ts (packages/client/src/b.ts:1) → b.ts (packages/client/src/c.ts:1)',
    ]);
  });

  it('HS-2 reports two folders that import each other, though no file imports itself', () => {
    const sources = {
      'packages/client/src/events/bus.ts': "import type { Hook } from '../webhooks/hook.ts'",
      'packages/client/src/webhooks/hook.ts': '',
      'packages/client/src/webhooks/deliver.ts': "import '../events/inbox.ts'",
      'packages/client/src/events/inbox.ts': '',
    };
    expect(checkLayers(house(sources))).toEqual([
      'import cycle in packages/client/src: events → webhooks (packages/client/src/events/bus.ts:1) → events (packages/client/src/webhooks/deliver.ts:1)',
    ]);
  });

  it('HS-2 lets a test look anywhere, and a folder use what lies beside it', () => {
    const sources = {
      'packages/client/src/events/bus.ts': "import '../id.ts'",
      'packages/client/src/id.ts': '',
      'packages/client/src/id.test.ts': "import './events/bus.ts'",
    };
    expect(checkLayers(house(sources))).toEqual([]);
  });

  it('HS-2 reports a file that imports itself', () => {
    expect(check('packages/client/src/b.ts', "import './b.ts'")).toEqual([
      'import cycle in packages/client/src: b.ts → b.ts (packages/client/src/b.ts:1)',
    ]);
  });

  it('finds a cycle behind a shared file, and a file that imports itself', () => {
    const edges = { z: ['a'], a: ['b', 'c'], b: ['c'], c: ['d'], d: ['b'], e: ['e'] };
    expect(findCycles(new Map(Object.entries(edges)))).toEqual([
      ['b', 'c', 'd', 'b'],
      ['e', 'e'],
    ]);
  });
});

describe('HS-2 the folders of the server have an order', () => {
  const path = 'packages/server/src/conversations/a.ts';

  it('lets a folder import lower ones and itself', () => {
    expect(check(path, "import './b.ts'; import '../auth/b.ts'; import type { X } from '../platform.ts'")).toEqual([]);
  });

  it('refuses an import upwards or sideways, of types too, and none in tests', () => {
    expect(check(path, "import type { X } from '../relations/b.ts'")).toEqual([
      `${path}:1: conversations may not import relations`,
    ]);
    expect(check('packages/server/src/skills/a.ts', "export { x } from '../bundles/b.ts'")).toEqual([
      'packages/server/src/skills/a.ts:1: skills may not import bundles',
    ]);
    expect(check('packages/server/src/conversations/a.test.ts', "import '../sockets/b.ts'")).toEqual([]);
  });

  it('refuses a folder that is not in the order', () => {
    expect(check('packages/server/src/attic/a.ts', '')).toEqual([
      'packages/server/src/attic/a.ts: attic has no place in FOLDERS of scripts/check-layers.mjs',
    ]);
  });
});

describe('HS-3 what must be pure is pure', () => {
  it.each([
    ["import 'node:fs'", 'node:fs is imported by packages/documents, which must be pure'],
    ["import type { Hash } from 'node:crypto'", 'node:crypto is imported by packages/documents, which must be pure'],
    ['eval(text)', 'eval( is not pure'],
    ['new Function(text)', 'Function( is not pure'],
    ['Date.now()', 'Date.now is not pure'],
    ['new Date()', 'new Date is not pure'],
    ['Date()', 'Date( is not pure'],
    ['performance.now()', 'performance.now is not pure'],
    ['Math.random()', 'Math.random is not pure'],
    ['crypto.getRandomValues(bytes)', 'getRandomValues is not pure'],
    ['const { randomUUID } = crypto', 'randomUUID is not pure'],
  ])('refuses %s in documents', (source, problem) => {
    expect(check('packages/documents/src/a.ts', source)).toEqual([`packages/documents/src/a.ts:1: ${problem}`]);
  });

  it('lets words in comments and strings be, and other packages and tests read the clock', () => {
    expect(check('packages/documents/src/a.ts', "// Date.now()\nconst text = 'new Date()'; format.Date(x)")).toEqual(
      [],
    );
    expect(check('packages/protocol/src/a.test.ts', "import 'node:fs'; Date.now()")).toEqual([]);
    expect(check('packages/server/src/auth/a.ts', "import 'node:fs'; Math.random()")).toEqual([]);
  });
});

it('HS-2 HS-3 hold in this repository', () => {
  expect(checkLayers(readSources(ROOT))).toEqual([]);
});
