import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ensureBrowser, explainMissing, findBrowser, findWholeBrowser } from './browser.mjs';

let folder;
let printed;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-browser-'));
  printed = [];
  vi.spyOn(console, 'error').mockImplementation((line) => printed.push(line));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function addProgram(name, script) {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nPATH=/usr/bin:/bin\ncd "${folder}"\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('HS-8 a path that is set but holds no browser is said to be the reason, and nothing else is tried', () => {
  const environment = { PATH: folder, CHROMIUM_PATH: join(folder, 'nothing') };
  expect(findBrowser(environment)).toBeUndefined();
  expect(explainMissing(environment)).toContain('CHROMIUM_PATH names no browser');
  expect(findBrowser({ PATH: folder, CHROME_PATH: folder })).toBeUndefined();
});

// Elsewhere there is no apt-get, and browsers are also looked for outside PATH.
if (process.platform === 'linux') {
  describe('HS-8 with stand-ins for the programs of the system', () => {
    /** Notes its arguments; from the `success`-th call on, `install` leaves a browser behind. */
    const addApt = (success) =>
      addProgram(
        'apt-get',
        `shift 2; echo "$*" >> calls\n[ $(wc -l < calls) -ge ${success} ] || exit 100\n` +
          `[ "$1" = install ] && shift 3 && for name; do printf '#!/bin/sh\\n' > $name && chmod +x $name; done`,
      );
    const calls = () =>
      existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').split('\n') : [];
    const only = 'install -y --no-install-recommends chromium';
    const install = `${only} chromium-headless-shell`;

    test('HS-8 finds a browser by its name, and not one that only says where to get it', () => {
      addProgram('chromium-browser', 'exit 1');
      expect(findBrowser({ PATH: folder })).toBeUndefined();
      const edge = addProgram('microsoft-edge', '');
      expect(findBrowser({ PATH: folder })).toBe(edge);
      const chosen = addProgram('mine', '');
      expect(findBrowser({ PATH: folder, CHROME_PATH: chosen })).toBe(chosen);
    });

    test('HS-8 installs Chromium where there is none, with one line about it', () => {
      addApt(1);
      expect(ensureBrowser({ PATH: folder }, true)).toBe(join(folder, 'chromium-headless-shell'));
      expect(calls()).toEqual([install, '']);
      expect(printed).toEqual([expect.stringContaining('Installing Chromium')]);
      expect(ensureBrowser({ PATH: folder }, true)).toBe(join(folder, 'chromium-headless-shell'));
      expect(calls()).toEqual([install, '']);
    });

    test('HS-8 refreshes the package lists if the package cannot be had without', () => {
      addApt(3);
      expect(ensureBrowser({ PATH: folder }, true)).toBe(join(folder, 'chromium-headless-shell'));
      expect(calls()).toEqual([install, 'update', install, '']);
    });

    test('HS-8 a system that has no shell of its own gets the whole browser', () => {
      addApt(4);
      expect(ensureBrowser({ PATH: folder }, true)).toBe(join(folder, 'chromium'));
      expect(calls()).toEqual([install, 'update', install, only, '']);
    });

    test('HS-8 the shell is taken before a whole browser, unless all of it is needed or one was chosen', () => {
      const shell = addProgram('chromium-headless-shell', '');
      expect([findBrowser({ PATH: folder }), findWholeBrowser({ PATH: folder })]).toEqual([shell, undefined]);
      const whole = addProgram('chromium', '');
      expect([findBrowser({ PATH: folder }), findWholeBrowser({ PATH: folder })]).toEqual([shell, whole]);
      const environment = { PATH: folder, CHROME_PATH: whole };
      expect([findBrowser(environment), findWholeBrowser(environment)]).toEqual([whole, whole]);
    });

    test('HS-8 says what to install where it cannot, and goes on', () => {
      addApt(9);
      expect(ensureBrowser({ PATH: folder }, true)).toBeUndefined();
      expect(printed.at(-1)).toBe('No browser for the browser tests: install Chromium or set CHROMIUM_PATH');
      expect(ensureBrowser({ PATH: '' }, true)).toBeUndefined();
    });

    test('HS-8 installs nothing without the right to, nor where a browser was chosen', () => {
      addApt(1);
      expect(ensureBrowser({ PATH: folder }, false)).toBeUndefined();
      expect(ensureBrowser({ PATH: folder, CHROMIUM_PATH: join(folder, 'nothing') }, true)).toBeUndefined();
      expect(calls()).toEqual([]);
    });
  });
}
