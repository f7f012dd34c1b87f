import { type Browser, chromium } from 'playwright-core';

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const BROWSER_LIMIT_MS = 120_000;

/** A Chromium whose profile is new and goes when the browser goes. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ARGUMENTS,
    // Chromium does not start as root with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: BROWSER_LIMIT_MS,
  });
}
