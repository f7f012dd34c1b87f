import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/http/app.ts';
import { createIntake } from '../src/http/intake.ts';
import { registerWeb } from '../src/http/web.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-web-'));
  mkdirSync(join(folder, 'site/assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'not for you');
  writeFileSync(join(folder, 'site/index.html'), '<!doctype html><title>Parley</title>');
  writeFileSync(join(folder, 'site/assets/app-1.js'), `export const text = '${'x'.repeat(2_000)}';`);
  server = await startTestServer({ webRoot: join(folder, 'site') });
});
afterAll(async () => {
  await server.drop();
  rmSync(folder, { recursive: true });
});

/** As sent: fetch would tidy the path up first. */
function get(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

describe('the web client', () => {
  it('HS-4 a folder without index.html is refused with a reason', () => {
    const app = createApp({
      log: server.platform.log,
      intake: createIntake(),
      trustedProxies: [],
      now: () => new Date(),
      onRefused: () => {},
      publicUrl: 'http://localhost',
    });
    const root = join(folder, 'site/assets');
    expect(() => registerWeb(app, root)).toThrow(
      expect.objectContaining({ code: 'WEB_CLIENT_MISSING', params: { folder: root } }),
    );
  });
  it('TR-8 pages come under a policy without inline code, eval, other hosts or framing', async () => {
    const reply = await fetch(`${server.url}/app/`);
    expect(reply.status).toBe(200);
    const policy = reply.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(reply.headers.get('x-frame-options')).toBe('DENY');
    expect(reply.headers.get('cache-control')).toBe('no-cache');
  });

  it('TR-8 an address of the app gets the app, a file that is not there a 404', async () => {
    expect((await fetch(`${server.url}/app/agents/some`)).headers.get('content-type')).toContain('text/html');
    expect((await fetch(`${server.url}/app/skills/com.example.x`)).headers.get('content-type')).toContain('text/html');
    expect((await fetch(`${server.url}/app/assets/gone.js`)).status).toBe(404);
    expect((await fetch(`${server.url}/`)).url).toBe(`${server.url}/app/`);
    expect((await fetch(`${server.url}/device?user_code=AB-CD`)).url).toBe(`${server.url}/app/device?user_code=AB-CD`);
  });

  it('TR-8 assets are compressed, kept for good, and not sent again to those who have them', async () => {
    const reply = await fetch(`${server.url}/app/assets/app-1.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(reply.headers.get('cache-control')).toContain('immutable');
    const etag = reply.headers.get('etag')!;
    expect((await fetch(reply.url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('TR-8 path traversal: nothing outside the site has an address', async () => {
    for (const path of [
      '/app/../secret.txt',
      '/app/%2e%2e/secret.txt',
      '/app/..%2fsecret.txt',
      '/app/assets/../../secret.txt',
    ])
      expect(await get(path), path).toBe(404);
  });
});
