import { BROWSER_LIMIT_MS, serve, shareBrowser } from '@parley/testkit/browser';
import type { Page } from 'playwright-core';
import { BEFORE_ATTEMPTS } from './marker.ts';
import type { PageOutcome, PageReport } from './page.ts';

const INDEX =
  '<!doctype html><meta charset="utf-8"><title>Parley</title><script type="module" src="/page.js"></script>';

export interface Visit {
  readonly report: PageReport;
  /** What was printed while the engine worked. */
  readonly printed: readonly string[];
}

/** Opens a page with these files and waits for its report. */
export async function visit(executablePath: string, files: Readonly<Record<string, string>>): Promise<Visit> {
  const site = await serve({ '/index.html': INDEX, ...files });
  try {
    const browser = await shareBrowser(executablePath);
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      const [printed, report] = await Promise.all([
        watch(page),
        site.outcome.then(readReport),
        page.goto(site.origin, { timeout: BROWSER_LIMIT_MS }),
      ]);
      return { report, printed };
    } finally {
      await context.close();
    }
  } finally {
    await site.close();
  }
}

/** What the page prints up to the marker. A page that cannot get there is a failure, not a wait. */
function watch(page: Page): Promise<string[]> {
  const printed: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error([`the page ${why}`, ...printed].join('\n')));
    page.on('console', (message) => {
      if (message.text() === BEFORE_ATTEMPTS) resolve([...printed]);
      else printed.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => fail(`threw ${error}`));
    page.on('crash', () => fail('crashed'));
    page.on('requestfailed', (request) => fail(`could not load ${request.url()}`));
  });
}

function readReport(body: string): PageReport {
  const outcome: PageOutcome = JSON.parse(body);
  if ('failure' in outcome) throw new Error(outcome.failure);
  return outcome.report;
}
