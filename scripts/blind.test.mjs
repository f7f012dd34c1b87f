import { describe, expect, it } from 'vitest';
import { checkLayers, readSources } from './check-layers.mjs';
import { ROOT } from './files.mjs';

const MANIFESTS = [
  ['packages/server/package.json', '{"name":"@parley/server","dependencies":{"@parley/e2ee":"1","@parley/agent":"1"}}'],
  ['packages/e2ee/package.json', '{"name":"@parley/e2ee","exports":{".":"./x.js"}}'],
  ['packages/agent/package.json', '{"name":"@parley/agent","exports":{".":"./x.js"}}'],
];
const check = (source) => checkLayers(new Map([...MANIFESTS, ['packages/server/src/server.ts', source]]));

describe('EE-8 the server is blind', () => {
  it.each([
    ['an import', "import { openEnvelope } from '@parley/e2ee';"],
    ['an import for its effect', "import '@parley/e2ee';"],
    ['a re-export', "export { openEnvelope } from '@parley/e2ee';"],
    ['a deferred import', "const open = () => import('@parley/e2ee');"],
    ['a package that contains it', "import { HasheeAgent } from '@parley/agent';"],
    ['a path into its sources', "import { openEnvelope } from '../../e2ee/src/open.ts';"],
    ['a computed name', 'const open = (name: string) => import(name);'],
  ])('EE-8 the build refuses a server that reaches what opens envelopes by %s', (_way, source) => {
    expect(check(source)).toHaveLength(1);
  });

  it('EE-8 the build lets the server use the wire, and this repository keeps to it', () => {
    expect(check("import { toWire } from './wire.ts';")).toEqual([]);
    const server = [...readSources(ROOT)].filter(([path]) => path.startsWith('packages/server/src/'));
    expect(server.length).toBeGreaterThan(50);
    expect(server.filter(([path, source]) => !path.endsWith('.test.ts') && source.includes('@parley/e2ee'))).toEqual(
      [],
    );
  });
});
