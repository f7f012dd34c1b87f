import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serverError } from '../errors.ts';

/** The path of the pages. Everything else at the root belongs to the API. */
const BASE = '/app/';

/**
 * Forbids inline code, eval, other hosts and framing. Workers and images that the user makes are blobs; the one Trusted
 * Types policy is for registering the service worker.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types parley',
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

interface Page {
  readonly type: string;
  readonly etag: string;
  /** The name contains a hash of the content, so it never changes. */
  readonly immutable: boolean;
  readonly plain: Buffer;
  readonly gzip?: Buffer;
  readonly brotli?: Buffer;
}

/** Serves a built site from memory: files that were not there at the start cannot be reached. */
export function registerWeb(app: FastifyInstance, root: string): void {
  const pages = readSite(root);
  const start = pages.get('index.html');
  if (start === undefined) throw serverError('WEB_CLIENT_MISSING', { params: { folder: root } });
  const home = (_request: FastifyRequest, reply: FastifyReply) => reply.redirect(BASE);
  app.get('/', home);
  app.get('/app', home);
  // Addresses that people are given. Browsers keep what is behind the #.
  for (const path of ['device', 'sign-up', 'reset-password']) {
    app.get<{ Querystring: Record<string, string> }>(`/${path}`, (request, reply) => {
      const query = new URLSearchParams(request.query).toString();
      return reply.redirect(`${BASE}${path}${query === '' ? '' : `?${query}`}`);
    });
  }
  app.get<{ Params: { '*': string } }>(`${BASE}*`, (request, reply) => {
    const path = request.params['*'];
    const page = pages.get(path);
    if (page !== undefined) return send(request, reply, page);
    return isFileName(path) ? reply.callNotFound() : send(request, reply, start);
  });
}

/** A name with an extension is a file and not a page of the app, unless it is the id of a skill. */
function isFileName(path: string): boolean {
  return extname(path) !== '' && !/^skills\/[^/\\]+$/.test(path);
}

function send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply
    .header('content-security-policy', POLICY)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('referrer-policy', 'no-referrer')
    .header('permissions-policy', 'geolocation=(self), clipboard-read=(self), camera=(), microphone=()')
    .header('x-frame-options', 'DENY')
    .header('cache-control', page.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('etag', page.etag)
    .header('vary', 'accept-encoding')
    .type(page.type);
  if (request.headers['if-none-match'] === page.etag) return reply.status(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  if (page.brotli !== undefined && /\bbr\b/.test(accepted))
    return reply.header('content-encoding', 'br').send(page.brotli);
  if (page.gzip !== undefined && /\bgzip\b/.test(accepted))
    return reply.header('content-encoding', 'gzip').send(page.gzip);
  return reply.send(page.plain);
}

function readSite(root: string): ReadonlyMap<string, Page> {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const path = file.slice(root.length).replaceAll('\\', '/').replace(/^\/+/, '');
      return [path, readPage(path, readFileSync(file))] as const;
    }),
  );
}

const SMALL = 1_024;

function readPage(path: string, plain: Buffer): Page {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const page = {
    type,
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    immutable: path.startsWith('assets/'),
    plain,
  };
  if (plain.length < SMALL || !/text|svg|json/.test(type)) return page;
  const brotli = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { ...page, gzip: gzipSync(plain), brotli };
}
