import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { run } from '../setup/run.mjs';

/** What npm reads of a version to install it; the lock file has all of it. */
const FIELDS = [
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bin',
  'engines',
  'os',
  'cpu',
  'libc',
  'hasInstallScript',
  'deprecated',
];

/**
 * @typedef {object} Version
 * @property {any} manifest
 * @property {{ integrity: string, shasum?: string }} dist
 * @property {(() => Buffer) | undefined} read The tarball; undefined where npm's cache or another registry has it.
 * @property {string} [place] Where the lock file puts it.
 */

/**
 * What the lock file pins, by name and version.
 *
 * @param {any} lock A package-lock.json. @returns {Map<string, Map<string, Version>>}
 */
export function readLocked(lock) {
  const packages = new Map();
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/') || entry.link || entry.integrity === undefined) continue;
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const kept = FIELDS.filter((field) => entry[field] !== undefined).map((field) => [field, entry[field]]);
    const manifest = { name, version: entry.version, ...Object.fromEntries(kept) };
    addVersion(packages, { manifest, dist: { integrity: entry.integrity }, read: undefined, place: path });
  }
  return packages;
}

/** What packages mention and can do without, and the lock file leaves out: parts for other platforms, optional peers. */
function readLeftOut(lock, packages) {
  const wishes = Object.values(lock.packages).flatMap(({ optionalDependencies, peerDependencies }) =>
    Object.keys({ ...optionalDependencies, ...peerDependencies }),
  );
  return new Set(wishes.filter((name) => !packages.has(name)));
}

function addVersion(packages, version) {
  const { name } = version.manifest;
  if (!packages.has(name)) packages.set(name, new Map());
  packages.get(name).set(version.manifest.version, version);
}

const compareVersions = (one, other) => one.localeCompare(other, 'en', { numeric: true });

function describePackage(name, versions, url) {
  const latest = [...versions.keys()].sort(compareVersions).at(-1);
  const entries = [...versions].map(([version, { manifest, dist }]) => [
    version,
    { ...manifest, dist: { ...dist, tarball: `${url}/${name}/-/${tarballName(name, version)}` } },
  ]);
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(entries) };
}

const tarballName = (name, version) => `${name.split('/').at(-1)}-${version}.tgz`;
const tarballOf = (path) => /^\/((?:@[^/]+\/)?[^/]+)\/-\/([^/]+\.tgz)$/.exec(path);

/** Where npm's cache keeps a content. */
function isCached(cache, integrity) {
  const [, algorithm, digest] = /^(sha\d+)-(\S+)/.exec(integrity) ?? [];
  if (algorithm === undefined) return false;
  const hex = Buffer.from(digest, 'base64').toString('hex');
  return existsSync(join(cache, '_cacache', 'content-v2', algorithm, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4)));
}

/** Packs what is installed, where npm could not have it from anywhere without a network. */
function packInstalled(folder) {
  const name = basename(folder);
  const args = ['-C', dirname(folder), `--exclude=${name}/node_modules`, '-czf', '-', name];
  return execFileSync('tar', args, { maxBuffer: 2 ** 30 });
}

const describeTarball = (tarball) => ({
  integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
  shasum: createHash('sha1').update(tarball).digest('hex'),
});

/** Npm sends a version as its packument, with the tarball in base64. */
function readUpload(body) {
  const { versions, _attachments: attachments } = JSON.parse(body);
  const [manifest] = Object.values(versions);
  const [{ data }] = Object.values(attachments);
  const tarball = Buffer.from(data, 'base64');
  const dist = describeTarball(tarball);
  if (manifest.dist.integrity !== dist.integrity)
    throw new Error('the tarball is not the one that its integrity names');
  return { manifest, dist, read: () => tarball };
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** @param {string} root @param {'registry' | 'cache'} name */
async function readSetting(root, name) {
  const { stdout } = await run('npm', ['config', 'get', name], { cwd: root });
  return stdout.trim().replace(/\/$/, '');
}

/**
 * An npm registry on this machine, for tests: it has our tarballs, and everything else exactly as the lock file pins it.
 * What the lock file pins lies in npm's cache, where npm finds it by its integrity; what does not is packed from what is
 * installed here, or fetched from the registry that this machine uses otherwise. It takes `npm publish`, too.
 *
 * @param {object} options
 * @param {string} options.root
 * @param {Map<string, import('./pack.mjs').Packed>} [options.tarballs]
 * @param {string} [options.upstream] The other registry.
 * @param {string} [options.cache] Npm's.
 * @returns {Promise<{ url: string, close: () => Promise<void>, published: { name: string, version: string }[], refuse: string | undefined }>}
 *   A package that is named as `refuse` cannot be published.
 */
export async function startRegistry({ root, tarballs = new Map(), upstream, cache }) {
  const elsewhere = upstream ?? (await readSetting(root, 'registry'));
  const cached = cache ?? (await readSetting(root, 'cache'));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages = readLocked(lock);
  const leftOut = readLeftOut(lock, packages);
  for (const { manifest, integrity, shasum, file } of tarballs.values()) {
    addVersion(packages, { manifest, dist: { integrity, shasum }, read: () => readFileSync(file) });
  }
  const registry = { published: [], refuse: undefined };
  let url;

  /** Before npm is told about a package: so that it need not ask anybody else for its contents. */
  function findContents(versions) {
    for (const version of versions.values()) {
      const folder = join(root, version.place ?? '');
      if (version.place === undefined || version.read !== undefined || !existsSync(join(folder, 'package.json')))
        continue;
      if (isCached(cached, version.dist.integrity)) continue;
      const tarball = packInstalled(folder);
      Object.assign(version, { dist: describeTarball(tarball), read: () => tarball });
    }
    return versions;
  }

  function publish(body) {
    const version = readUpload(body);
    const { name, version: number } = version.manifest;
    if (name === registry.refuse) return { status: 403, json: { error: 'not now' } };
    if (packages.get(name)?.has(number))
      return { status: 403, json: { error: `${name}@${number} is published already` } };
    addVersion(packages, version);
    registry.published.push({ name, version: number });
    return { status: 201, json: { ok: true } };
  }

  function get(path) {
    if (path === '/-/ping') return { status: 200, json: {} };
    if (path === '/-/whoami') return { status: 200, json: { username: 'somebody' } };
    const [, name, file] = tarballOf(path) ?? [];
    if (name === undefined) {
      const versions = packages.get(path.slice(1));
      return versions === undefined
        ? undefined
        : { status: 200, json: describePackage(path.slice(1), findContents(versions), url) };
    }
    const version = [...(packages.get(name)?.values() ?? [])].find(
      (one) => tarballName(name, one.manifest.version) === file,
    );
    return version?.read === undefined ? undefined : { status: 200, bytes: version.read() };
  }

  async function answer(request) {
    const path = decodeURIComponent(new URL(request.url, url).pathname);
    if (request.method === 'PUT') return publish(await readBody(request));
    // Ours are here or nowhere: another registry may have something else under the same name.
    return (
      get(path) ??
      (isOurs(path) || leftOut.has(path.slice(1))
        ? { status: 404, json: { error: 'not found' } }
        : { status: 307, path: request.url })
    );
  }
  const isOurs = (path) =>
    path.startsWith('/@parley/') || path.startsWith('/create-parley-agent') || path.startsWith('/-/');

  const server = createServer((request, response) => {
    void answer(request)
      .catch((error) => ({ status: 400, json: { error: error.message } }))
      .then(({ status, json, bytes, path }) => {
        // Kept nowhere: the next registry has another port, and the same version with other contents.
        response.writeHead(status, {
          'cache-control': 'no-store',
          'content-type': bytes === undefined ? 'application/json' : 'application/octet-stream',
          ...(path === undefined ? {} : { location: `${elsewhere}${path}` }),
        });
        response.end(bytes ?? JSON.stringify(json ?? {}));
      });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}`;
  return Object.assign(registry, {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
