#!/usr/bin/env node
// Finds a Chromium for the browser tests; installs Debian's where there is none and we may.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isMain } from './files.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
/** The same browser without windows: faster, and it does not stop drawing now and then. It has no notifications. */
const SHELLS = ['chromium-headless-shell'];
const MAC_NAMES = ['Chromium', 'Google Chrome', 'Microsoft Edge'];
const WINDOWS_PLACES = [
  'Chromium/Application/chrome',
  'Google/Chrome/Application/chrome',
  'Microsoft/Edge/Application/msedge',
];
const INSTALL = ['install', '-y', '--no-install-recommends'];
const LIMIT_MS = 300_000;
const START_LIMIT_MS = 120_000;

/** Those that need not be asked again. */
const answered = new Set();

/** The program to start, if this machine has one: the headless shell before a whole browser. Looks, and does nothing else. */
export function findBrowser(environment = process.env) {
  if (chosenPath(environment)) return findWholeBrowser(environment);
  return inPath(SHELLS, environment).find(starts) ?? findWholeBrowser(environment);
}

/** One that can do all that a person's browser can. */
export function findWholeBrowser(environment = process.env) {
  const chosen = chosenPath(environment);
  return (chosen ? [chosen] : listPlaces(environment)).find(starts);
}

const starts = (path) => isFile(path) && answers(path);

/** Why `findBrowser` found nothing, in one line. */
export function explainMissing(environment = process.env) {
  if (chosenPath(environment)) return 'CHROME_PATH or CHROMIUM_PATH names no browser that starts';
  return 'install Chromium or set CHROMIUM_PATH';
}

/** The same as `findBrowser`, but installs Chromium where it is missing and apt-get and root are at hand. */
export function ensureBrowser(environment = process.env, isRoot = process.getuid?.() === 0) {
  if (findWholeBrowser(environment) !== undefined) return findBrowser(environment);
  if (!chosenPath(environment) && isRoot && inPath(['apt-get'], environment).some(isFile)) install(environment);
  const installed = findBrowser(environment);
  if (installed === undefined) console.error(`No browser for the browser tests: ${explainMissing(environment)}`);
  return installed;
}

function install(environment) {
  console.error('Installing Chromium for the browser tests (apt-get), this takes a minute the first time …');
  const end = Date.now() + LIMIT_MS;
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => {
    const timeout = Math.max(1, end - Date.now());
    return (
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=60', ...args], { env, timeout, stdio: 'ignore' }).status === 0
    );
  };
  if (apt(...INSTALL, 'chromium', ...SHELLS)) return;
  // One source of several that cannot be reached makes `update` fail, but the packages may still be found.
  apt('update');
  if (!apt(...INSTALL, 'chromium', ...SHELLS)) apt(...INSTALL, 'chromium');
}

function chosenPath({ CHROME_PATH, CHROMIUM_PATH }) {
  return CHROME_PATH || CHROMIUM_PATH;
}

function listPlaces(environment) {
  if (process.platform === 'win32') {
    const homes = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => environment[name]);
    return homes.filter(Boolean).flatMap((home) => WINDOWS_PLACES.map((place) => join(home, `${place}.exe`)));
  }
  const apps = MAC_NAMES.map((name) => `Applications/${name}.app/Contents/MacOS/${name}`);
  const homes = process.platform === 'darwin' ? ['/', environment.HOME].filter(Boolean) : [];
  return [...inPath(NAMES, environment), ...homes.flatMap((home) => apps.map((app) => join(home, app)))];
}

function inPath(names, environment) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function isFile(path) {
  return existsSync(path) && statSync(path).isFile();
}

/** Ubuntu's `chromium-browser` is a script that only says where to get one. On Windows the question opens a window. */
function answers(path) {
  if (process.platform === 'win32' || answered.has(path)) return true;
  const { status } = spawnSync(path, ['--version'], { timeout: START_LIMIT_MS, stdio: 'ignore' });
  if (status === 0) answered.add(path);
  return status === 0;
}

if (isMain(import.meta.url)) {
  const path = ensureBrowser();
  if (path !== undefined) console.log(path);
}
