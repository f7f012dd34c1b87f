import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { bundleForBrowser } from './bundle.ts';
import { BROWSER_LIMIT_MS, shareBrowser } from './launch.ts';
import { serve } from './serve.ts';

const INDEX =
  '<!doctype html><meta charset="utf-8"><title>Parley</title><script type="module" src="/page.js"></script>';

// biome-ignore lint/suspicious/noExplicitAny: functions of any kind
type Actions = Readonly<Record<string, (...args: any[]) => unknown>>;

export interface Pages {
  readonly origin: string;
  readonly context: BrowserContext;
  /** The id of every module in the page's script. */
  readonly moduleIds: readonly string[];
  openTab(): Promise<Page>;
  close(): Promise<void>;
}

/**
 * Opens a site whose only page runs `script` (a path), which puts `actions` on `globalThis`: functions that `ask`
 * calls.
 */
export async function openPages(
  executablePath: string,
  script: string,
  options: BrowserContextOptions = {},
): Promise<Pages> {
  const { code, moduleIds } = await bundleForBrowser(script);
  const site = await serve({ '/index.html': INDEX, '/page.js': code });
  let context: BrowserContext | undefined;
  const close = async () => {
    await context?.close();
    await site.close();
  };
  try {
    const browser = await shareBrowser(executablePath);
    const own = await browser.newContext(options);
    context = own;
    const openTab = async () => {
      const page = await own.newPage();
      await page.goto(site.origin, { timeout: BROWSER_LIMIT_MS });
      await page.waitForFunction('"actions" in globalThis', undefined, { timeout: BROWSER_LIMIT_MS });
      return page;
    };
    return { origin: site.origin, context: own, moduleIds, openTab, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Calls an action in the page; arguments and the result travel as JSON. */
export function ask<Known extends Actions, Name extends keyof Known & string>(
  page: Page,
  name: Name,
  ...args: Parameters<Known[Name]>
): Promise<Awaited<ReturnType<Known[Name]>>> {
  const call = ([name, args]: readonly [string, readonly unknown[]]) =>
    (globalThis as unknown as { actions: Actions }).actions[name]!(...args);
  return page.evaluate(call, [name, args] as const) as Promise<never>;
}
