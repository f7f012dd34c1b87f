#!/usr/bin/env node
// HS-2 and HS-3: dependencies point one way, and what must be pure is pure.
import { posix } from 'node:path';
import { findFiles, isMain, ROOT, readFiles, reportErrors } from './files.mjs';
import { readImports } from './imports.mjs';
import { tokenise } from './tokens.mjs';

const SCOPE = '@parley/';

/** Which packages a package may import. Apps and examples may import all of them. */
const LAYERS = {
  base: [],
  documents: ['base'],
  protocol: ['base', 'documents'],
  'guarded-fetch': ['base'],
  e2ee: ['base', 'documents', 'protocol'],
  // Never e2ee: the server must not hold code that opens an envelope (EE-8).
  server: ['base', 'documents', 'protocol', 'guarded-fetch', 'bundles', 'skills'],
  messenger: ['base', 'documents', 'protocol', 'e2ee'],
  agent: ['base', 'documents', 'protocol', 'e2ee', 'messenger'],
  client: ['base', 'documents', 'protocol', 'e2ee', 'messenger', 'guarded-fetch'],
  bundles: ['base', 'documents', 'protocol', 'guarded-fetch'],
  skills: ['base', 'documents', 'protocol', 'guarded-fetch'],
  'system-agent': ['base', 'documents', 'agent'],
  'create-parley-agent': ['base'],
  testkit: ['base', 'documents', 'protocol', 'e2ee', 'server', 'messenger', 'agent', 'client', 'bundles', 'skills'],
};

/**
 * The order of the files and folders in the `src` of a package, bottom to top: each may import those of lower rows, and
 * itself. A package that is not listed only has to be free of cycles.
 */
const FOLDERS = {
  server: [
    ['errors.ts', 'id.ts', 'clock.ts', 'timetable.ts', 'config.ts'],
    ['log'],
    ['metrics.ts', 'storage', 'mail'],
    ['http', 'jobs.ts'],
    ['events', 'search', 'backfills.ts'],
    ['agent-events', 'budgets'],
    ['manifests'],
    ['platform.ts'],
    ['clock-gaps.ts'],
    ['trusted-clock.ts'],
    ['people'],
    ['auth', 'keys'],
    ['conversations'],
    ['presence', 'relations'],
    ['agents'],
    ['contacts'],
    ['accounts', 'webhooks', 'skills', 'bundles', 'proxy'],
    ['admin', 'sockets', 'tasks.ts'],
    ['server.ts'],
    ['index.ts'],
  ],
};

const BINDING = 'packages/messenger/src/binding/';

/**
 * EE-15: routes whose replies say who someone is, whom a conversation is with, or what was granted. Only the one place
 * that compares them with what was signed asks for them; the others listed here say why they may.
 */
const BOUND_ROUTES = {
  accountDevices: [],
  readLedger: [],
  readGroup: [],
  readConversation: [],
  readRelation: [],
  // Read out to the platform's own agent; nothing is decided by it.
  listRelations: ['packages/client/src/executors/hashee/read-agents.ts'],
  // Unread counts and dates. A title is shown only with the members it was bound to.
  listConversations: ['packages/client/src/conversations/conversations.ts'],
  // Names and dates, the request of a device that waits, and its sealed welcome. The list says which ones count.
  listDevices: ['packages/client/src/account/devices.ts', 'packages/client/src/client.ts'],
};

/** What they import is in their bundles, so nobody who installs them needs it. */
const BUNDLED = new Set(['apps/cli']);

const PURE = new Set(['base', 'documents', 'protocol']);
/** The parts of a pure package that are not, by the name under which they are imported. */
const IMPURE_ENTRIES = new Map([['@parley/base/node', 'packages/base/src/node/']]);

/** They load a module that the person at the command line names. */
const LOADERS = new Set(['apps/cli/src/skill/load-handler.ts']);

/** Token sequences that read a clock or randomness, or make code. */
const IMPURE = [
  ['eval', '('],
  ['Function', '('],
  ['Date', '.', 'now'],
  ['Date', '('],
  ['new', 'Date'],
  ['performance', '.', 'now'],
  ['Math', '.', 'random'],
  ['getRandomValues'],
  ['randomUUID'],
];

const isTest = (path) => /\.test\.tsx?$|^(packages|apps)\/[^/]+\/tests\//.test(path);

/** No part of what a package is: its tests, and how it is bundled. */
const isOutside = (path) => isTest(path) || /\.config\.ts$/.test(path);

/** `packages/documents/src/x.ts` lives in `packages/documents`. */
const roomOf = (path) => path.split('/').slice(0, 2).join('/');

const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/**
 * @param {Map<string, string>} files Sources and package.json files below packages/, apps/ and examples/, and the root's
 *   package.json, by path.
 * @returns {string[]}
 */
export function checkLayers(files) {
  const errors = [];
  const manifests = new Map();
  for (const [path, text] of files) {
    if (path.endsWith('package.json')) manifests.set(posix.dirname(path), JSON.parse(text));
  }
  const imports = new Map();
  for (const [path, source] of files) {
    if (!/\.tsx?$/.test(path)) continue;
    imports.set(path, readImports(source));
    for (const { specifier, line } of imports.get(path)) {
      const problem = checkImport({ path, specifier, manifests });
      if (problem !== undefined) errors.push(`${path}:${line}: ${problem}`);
    }
    errors.push(...findUnboundReads(path, source));
    if (isPure(path))
      errors.push(...findImpurity(source).map(({ text, line }) => `${path}:${line}: ${text} is not pure`));
  }
  errors.push(...findFolderCycles(imports));
  errors.push(...Object.entries(FOLDERS).flatMap(([room, rows]) => findUpwardImports(imports, room, rows)));
  return errors;
}

/** Calls of those routes anywhere but where their replies are bound. */
function findUnboundReads(path, source) {
  const isBound = path.startsWith(BINDING) || isTest(path) || /^packages\/(server|protocol|testkit)\//.test(path);
  if (isBound) return [];
  return [...source.matchAll(/\.call\(\s*(?:\w+\.)?(\w+)/g)]
    .filter(([, route]) => BOUND_ROUTES[route]?.includes(path) === false)
    .map(({ 1: route, index }) => {
      const line = source.slice(0, index).split('\n').length;
      return `${path}:${line}: ${route} says what has to be compared with what was signed: ask ${BINDING} (EE-15)`;
    });
}

const isPure = (path) =>
  path.startsWith('packages/') &&
  PURE.has(path.split('/')[1]) &&
  !isTest(path) &&
  ![...IMPURE_ENTRIES.values()].some((folder) => path.startsWith(folder));

function checkImport({ path, specifier, manifests }) {
  const room = roomOf(path);
  if (specifier === undefined) {
    return LOADERS.has(path) ? undefined : 'imports a computed name, which no check can follow';
  }
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier);
    // Scripts are no package, and what the commands and the tests share must run before anything is built.
    const allowed = target.startsWith(`${room}/`) || (isOutside(path) && target.startsWith('scripts/'));
    return allowed ? undefined : `${specifier} leaves ${room}: import the package by its name`;
  }
  if (specifier.startsWith('node:')) {
    return isPure(path) ? `${specifier} is imported by ${room}, which must be pure` : undefined;
  }
  const name = packageOf(specifier);
  if (!name.startsWith(SCOPE)) return checkDeclared({ path, name, manifests });
  if (isPure(path) && IMPURE_ENTRIES.has(specifier)) return `${specifier} is imported by ${room}, which must be pure`;
  return checkSubpath(name, specifier, manifests) ?? checkLayer(path, name) ?? checkDeclared({ path, name, manifests });
}

function checkSubpath(name, specifier, manifests) {
  const subpath = `.${specifier.slice(name.length)}`;
  const target = [...manifests.values()].find((manifest) => manifest.name === name);
  if (target === undefined) return `${name} is no package of ours`;
  return subpath === '.' || Object.hasOwn(target.exports ?? {}, subpath)
    ? undefined
    : `${specifier} goes past the exports of ${name}`;
}

function checkLayer(path, name) {
  const [kind, room] = path.split('/');
  const target = name.slice(SCOPE.length);
  if (isTest(path)) return undefined;
  if (target === 'testkit') return 'testkit is for tests only';
  if (kind === 'apps' || kind === 'examples') return undefined;
  if (!Object.hasOwn(LAYERS, room)) return `packages/${room} has no place in LAYERS of scripts/check-layers.mjs`;
  return LAYERS[room].includes(target) ? undefined : `${room} may not import ${target}`;
}

/** Tests, and the test kit, may also use what the whole repository is tested with, and any package of ours. */
function checkDeclared({ path, name, manifests }) {
  const room = roomOf(path);
  const own = manifests.get(room) ?? {};
  const allowed = { ...own.dependencies, ...own.peerDependencies, ...(BUNDLED.has(room) ? own.devDependencies : {}) };
  if (isTest(path) && name.startsWith(SCOPE)) return undefined;
  if (isTest(path) || room === 'packages/testkit') {
    Object.assign(allowed, own.devDependencies, manifests.get('.')?.devDependencies);
  }
  return Object.hasOwn(allowed, name) ? undefined : `${name} is not in the dependencies of ${room}`;
}

function findImpurity(source) {
  const tokens = tokenise(source);
  const found = [];
  tokens.forEach((token, start) => {
    const hit = IMPURE.find((words) =>
      words.every((word, offset) => {
        const { kind, text } = tokens[start + offset] ?? {};
        return text === word && (kind === 'word' || kind === 'punct');
      }),
    );
    const before = tokens[start - 1]?.text;
    // `new Date(` is reported once, and a method called `Date` is nobody's clock.
    if (hit !== undefined && !(hit[0] === 'Date' && (before === 'new' || before === '.'))) {
      found.push({ text: hit.join(hit[0] === 'new' ? ' ' : ''), line: token.line });
    }
  });
  return found;
}

/**
 * Each cycle once, starting and ending with its first file in the alphabet.
 *
 * @param {Map<string, string[]>} edges @returns {string[][]}
 */
export function findCycles(edges) {
  const cycles = [];
  const done = new Set();
  const trail = [];
  const visit = (path) => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      const cycle = trail.slice(start);
      const first = cycle.indexOf([...cycle].sort()[0]);
      cycles.push([...cycle.slice(first), ...cycle.slice(0, first), cycle[first]]);
      return;
    }
    if (done.has(path)) return;
    trail.push(path);
    for (const target of edges.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of edges.keys()) visit(path);
  return cycles;
}

/**
 * Among the files and folders that lie side by side, none is both above and below another: so no file imports itself
 * through others, either. Types count, because a reader has to follow those, too. Tests may look anywhere.
 *
 * @param {Map<string, import('./imports.mjs').Import[]>} imports By path. @returns {string[]}
 */
function findFolderCycles(imports) {
  /** By folder: what imports what in it, and where first. @type {Map<string, Map<string, Map<string, string>>>} */
  const folders = new Map();
  const entry = (map, key) => map.get(key) ?? map.set(key, new Map()).get(key);
  for (const [path, list] of imports) {
    if (isTest(path)) continue;
    for (const { specifier, line } of list) {
      if (!specifier?.startsWith('.')) continue;
      const from = path.split('/');
      const to = posix.join(posix.dirname(path), specifier).split('/');
      const differs = from.findIndex((name, index) => name !== to[index]);
      const depth = differs === -1 ? from.length - 1 : differs;
      const targets = entry(entry(folders, from.slice(0, depth).join('/')), from[depth]);
      if (!targets.has(to[depth])) targets.set(to[depth], `${path}:${line}`);
    }
  }
  return [...folders].flatMap(([folder, sides]) => {
    const cycles = findCycles(new Map([...sides].map(([name, targets]) => [name, [...targets.keys()]])));
    return cycles.map((cycle) => {
      const steps = cycle.slice(1).map((name, index) => `${name} (${sides.get(cycle[index]).get(name)})`);
      return `import cycle in ${folder}: ${[cycle[0], ...steps].join(' → ')}`;
    });
  });
}

/**
 * Imports of a package that point to the same row of its order, or a higher one. Types count, tests do not.
 *
 * @param {Map<string, import('./imports.mjs').Import[]>} imports By path. @param {string} room @param {string[][]} rows
 * @returns {string[]}
 */
function findUpwardImports(imports, room, rows) {
  const source = `packages/${room}/src/`;
  const rowOf = new Map(rows.flatMap((names, row) => names.map((name) => [name, row])));
  const errors = [];
  for (const [path, list] of imports) {
    if (!path.startsWith(source) || isTest(path)) continue;
    const [own] = path.slice(source.length).split('/');
    if (!rowOf.has(own)) errors.push(`${path}: ${own} has no place in FOLDERS of scripts/check-layers.mjs`);
    for (const { specifier, line } of list) {
      if (!specifier?.startsWith('.')) continue;
      const [target] = posix.join(posix.dirname(path), specifier).slice(source.length).split('/');
      if (target === own || !rowOf.has(own) || !rowOf.has(target)) continue;
      if (rowOf.get(target) >= rowOf.get(own)) errors.push(`${path}:${line}: ${own} may not import ${target}`);
    }
  }
  return errors;
}

/** What `checkLayers` wants to see of a repository. @param {string} root */
export function readSources(root) {
  const wanted = /\.tsx?$|^package\.json$/;
  const rooms = ['packages', 'apps', 'examples'].flatMap((folder) => findFiles(root, folder, wanted));
  return readFiles(root, ['package.json', ...rooms]);
}

if (isMain(import.meta.url)) {
  const files = readSources(ROOT);
  const errors = checkLayers(files);
  console.log(`layers: ${files.size} files, ${errors.length} errors`);
  reportErrors('check-layers', errors);
}
