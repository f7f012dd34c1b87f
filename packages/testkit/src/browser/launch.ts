import { type Browser, chromium } from 'playwright-core';

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Only ends waits for something that never comes: a busy machine may take as long as it likes. */
export const BROWSER_LIMIT_MS = 180_000;

/** Launches Chromium with a new profile, which is removed with the browser. */
function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ARGUMENTS,
    // Chromium does not start as root with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: BROWSER_LIMIT_MS,
  });
}

const shared = new Map<string, Promise<Browser>>();

/**
 * Shares one browser of this process and program: a context isolates as well as a browser of one's own. It is never
 * closed: it ends with the process, however that ends, because its debugging pipe does.
 */
export async function shareBrowser(executablePath: string): Promise<Browser> {
  const launching = shared.get(executablePath) ?? launchBrowser(executablePath);
  shared.set(executablePath, launching);
  const browser = await launching;
  if (browser.isConnected()) return browser;
  shared.delete(executablePath);
  return shareBrowser(executablePath);
}
