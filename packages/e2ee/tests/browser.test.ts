import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BROWSER_LIMIT_MS, bundleForBrowser, serve, shareBrowser } from '@parley/testkit/browser';
import { beforeAll, describe, expect, it } from 'vitest';
import { explainMissing, findBrowser } from '../../../scripts/browser.mjs';
import { nodeCrypto } from '../src/provider/node.ts';
import type { PageReport } from './browser/page.ts';
import { answerPrimitives } from './browser/primitives.ts';
import { KNOWN_ANSWERS, makeKnownAnswer, pathOf } from './known-answers.ts';

const INDEX =
  '<!doctype html><meta charset="utf-8"><title>Parley</title><script type="module" src="/page.js"></script>';
const readVectors = (path: string) => readFileSync(new URL(`../../../vectors/${path}`, import.meta.url), 'utf8');
const readPrimitives = () => readVectors('e2ee/primitives.json');
const executable = findBrowser();

async function visit(executablePath: string): Promise<PageReport> {
  const script = await bundleForBrowser(fileURLToPath(new URL('browser/page.ts', import.meta.url)));
  const site = await serve({
    '/index.html': INDEX,
    '/page.js': script.code,
    '/primitives.json': readPrimitives(),
  });
  const browser = await shareBrowser(executablePath);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const failed = new Promise<never>((_, reject) => {
      page.on('pageerror', reject);
      page.on('crash', () => reject(new Error('the page crashed')));
    });
    const [body] = await Promise.all([
      Promise.race([site.outcome, failed]),
      page.goto(site.origin, { timeout: BROWSER_LIMIT_MS }),
    ]);
    const outcome: { report: PageReport } | { failure: string } = JSON.parse(body);
    if ('failure' in outcome) throw new Error(outcome.failure);
    return outcome.report;
  } finally {
    await context.close();
    await site.close();
  }
}

if (executable === undefined) {
  it(`EE-13 no browser on this machine: ${explainMissing()}`, () => {
    expect(process.env.CI === 'true' && existsSync('/usr/bin/apt-get')).toBe(false);
  });
} else {
  describe('EE-13 the provider for browsers, in one', { timeout: BROWSER_LIMIT_MS }, () => {
    let report: PageReport;

    beforeAll(async () => {
      report = await visit(executable);
    }, 2 * BROWSER_LIMIT_MS);

    it('EE-13 it is a browser, and its random bytes are fresh', () => {
      expect(report.isBrowser).toBe(true);
      expect(report.random).toEqual({ length: 100_000, fresh: true });
    });

    it('EE-13 every RFC vector gives the bytes it gives in Node', () => {
      const vectors = JSON.parse(readPrimitives());
      const here = answerPrimitives(nodeCrypto, vectors);
      expect(report.primitives).toEqual(JSON.parse(JSON.stringify(here)));
      expect(report.primitives.x25519).toEqual(vectors.x25519.map(({ shared }: { shared: string }) => shared));
      expect(report.primitives.lowOrder.every((shared) => shared === null)).toBe(true);
      expect(report.primitives.smallOrder).toBe(false);
    });

    it.each(KNOWN_ANSWERS)('EE-13 %s: sealed, opened and signed to the byte as in Node and in the vectors', (name) => {
      expect(report.knownAnswers[name]).toBe(makeKnownAnswer(name, nodeCrypto));
      expect(report.knownAnswers[name]).toBe(readVectors(pathOf(name)));
    });
  });
}
