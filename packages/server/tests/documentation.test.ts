import { readFileSync } from 'node:fs';
import { CALLERS, ROUTES } from '@parley/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderDocs } from '../src/http/docs-page.ts';
import { type ApiDescription, describeApi, type Operation } from '../src/http/openapi.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let api: ApiDescription;
beforeAll(async () => {
  server = await startTestServer();
  api = (await server.call('GET', '/openapi.json')).body;
});
afterAll(() => server.drop());

const operations = (): [string, Operation][] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

describe('TR-8 the description of the API', () => {
  test('TR-8 has every route of the contracts, and no other', () => {
    const expected = ROUTES.map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')}`,
    );
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual(expected.sort());
    expect(api.openapi).toMatch(/^3\.1\./);
  });

  test('TR-8 declares each parameter of a path, names each operation once, and its tag', () => {
    const names = operations().map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    const tags = new Set(api.tags.map(({ name }) => name));
    for (const [name, { parameters = [], tags: own }] of operations()) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
      expect([name, declared.sort()]).toEqual([name, inPath.sort()]);
      expect(own.every((tag) => tags.has(tag))).toBe(true);
    }
  });

  test('TR-8 says which replies are told line by line, and what a line is', () => {
    const streamed = ROUTES.filter(({ event }) => event !== undefined).map(({ method, path }) => `${method} ${path}`);
    expect(streamed).toContain('POST /skills/:skill_id/invoke');
    const content = (api.paths['/skills/{skill_id}/invoke']!.post as Operation).responses['200']!.content!;
    expect(Object.keys(content)).toEqual(['application/json', 'application/x-ndjson']);
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile({
      ...(content['application/x-ndjson']!.schema as object),
      components: api.components,
    });
    const event = { type: 'state', after_ms: 1, status: 'running' };
    for (const line of [{ event }, { reply: { ok: true, events: [event] } }]) expect(check(line)).toBe(true);
    for (const line of [{}, { event: { type: 'other', after_ms: 1 } }, { reply: {} }]) expect(check(line)).toBe(false);
  });

  test('TR-8 holds only valid JSON Schema, and references to what is there', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const [, { parameters = [], requestBody, responses }] of operations()) {
      const contents = [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {}));
      for (const { schema } of [...contents, ...parameters]) {
        expect(ajv.validateSchema(schema as object)).toBe(true);
      }
    }
    const references = [...JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
    const resolve = (path: string) =>
      path.split('/').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], api);
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) expect([reference, typeof resolve(reference)]).toEqual([reference, 'object']);
  });

  test('TR-8 says who may call and how often, and asks for a token where one is needed', () => {
    for (const [name, operation] of operations()) {
      expect([name, Object.keys(operation['x-access']).sort()]).toEqual([name, [...CALLERS].sort()]);
      expect(operation['x-limit'].requests_per_minute).toBeGreaterThan(0);
      expect(operation.responses['429']).toBeDefined();
      const isOpen = operation['x-access'].anonymous !== 401;
      expect([name, operation.security.some((way) => Object.keys(way).length === 0)]).toEqual([name, isOpen]);
    }
  });
});

describe('TR-8 the page to read', () => {
  test('TR-8 shows every route, runs no script, and loads nothing from elsewhere', async () => {
    const { status, body, headers } = await server.call('GET', '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(body).not.toMatch(/<script|https?:\/\/|\son\w+=|style="/);
    for (const [, { operationId }] of operations()) expect(body).toContain(`id="${operationId}"`);
    const style = await server.call('GET', '/docs/style.css');
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.body).toContain('color-scheme: light dark');
  });

  test('TR-8 a contract cannot put markup into it', () => {
    const [route] = ROUTES;
    const hostile = { ...route!, summary: '<script>alert(1)</script>', tag: '"><img src=x>' };
    const page = renderDocs(describeApi([hostile], '<b>'));
    expect(page).not.toMatch(/<script|<img|<b>alert/);
    expect(page).toContain('&lt;script&gt;');
  });
});

test('TR-8 docs/routes.md lists every route with its limits', () => {
  const text = readFileSync(new URL('../../../docs/routes.md', import.meta.url), 'utf8');
  for (const { method, path, event, limit } of ROUTES) {
    const lines = event === undefined ? '' : ' *Lines*';
    expect(text).toContain(`| \`${method} ${path}\`${lines} | ${limit.body} | ${limit.perMinute} by ${limit.by} |`);
  }
});
