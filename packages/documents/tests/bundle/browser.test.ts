import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import * as bundles from '../../src/bundle/index.ts';
import { bundleBundles, bundleEngine } from '../browser/bundle.ts';
import { findCodeMakers } from '../browser/code-makers.ts';

it('BN-6 bundles and their conditions run in a page whose policy forbids eval', async () => {
  const { code, imports, dynamicImports, exports, moduleIds } = await bundleBundles();
  expect({ imports, dynamicImports }).toEqual({ imports: [], dynamicImports: [] });
  expect(findCodeMakers(code)).toEqual([]);
  expect(moduleIds.filter((id) => id.includes('browser-external'))).toEqual([]);
  expect(exports.toSorted()).toEqual(Object.keys(bundles).toSorted());
});

it('BN-6 whoever uses manifests only loads no CEL', async () => {
  const { code, moduleIds } = await bundleEngine();
  expect(moduleIds.filter((id) => id.includes('@bufbuild'))).toEqual([]);
  expect(gzipSync(code).length).toBeLessThan(120_000);
});

it('BN-6 neither CEL nor its registry reads a clock or makes code when it is loaded or used', async () => {
  const { code } = await bundleBundles();
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const script = `
    const spied = [];
    for (const [host, name] of [[Date, 'now'], [Math, 'random'], [globalThis, 'Function'], [globalThis, 'eval']]) {
      host[name] = () => { spied.push(name); };
    }
    const { evaluateCondition } = await import('${url}');
    const result = evaluateCondition("output.a.all(x, x.matches('^a+$'))", { output: { a: ['aa'] } });
    process.stdout.write(JSON.stringify({ spied, result }));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-'], { input: script, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ spied: [], result: { ok: true, value: true } });
});
