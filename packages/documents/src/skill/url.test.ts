import { describe, expect, it } from 'vitest';
import { seedDescriptor } from '../../tests/skill-vectors.ts';
import { fillTemplate, toCancelUrl } from './url.ts';
import { validateDescriptor } from './validate.ts';

describe('SD-2 templates', () => {
  it.each([
    ['https://a.example/status/{execution_id}', 'x1', 'https://a.example/status/x1'],
    ['https://a.example/status?id={execution_id}', 'x1', 'https://a.example/status?id=x1'],
    ['https://a.example/status', 'x1', 'https://a.example/status/x1'],
    ['https://a.example/status/', 'x1', 'https://a.example/status/x1'],
    ['https://a.example/status?v=1', 'x1', 'https://a.example/status/x1?v=1'],
  ])('%s with %s is %s', (template, id, url) => {
    expect(fillTemplate(template, id)).toBe(url);
  });

  it('attack: an id made of path, query or replacement patterns stays one step of the path', () => {
    const url = fillTemplate('https://a.example/status/{execution_id}', '../../admin?x#$&');
    expect(url).toBe('https://a.example/status/..%2F..%2Fadmin%3Fx%23%24%26');
  });
});

describe('SI-1 the address to cancel at', () => {
  it.each([
    ['https://a.example/skills/t/status/7', 'https://a.example/skills/t/cancel/7'],
    ['https://a.example/executions/7/status', 'https://a.example/executions/7/cancel'],
    ['https://status/7?a=b', 'https://status/7/cancel?a=b'],
    ['https://a.example/executions/7', 'https://a.example/executions/7/cancel'],
  ])('of %s is %s', (status, cancel) => {
    expect(toCancelUrl(status)).toBe(cancel);
  });
});

describe('SD-2 attack: addresses that RFC 3987 allows and no client can read', () => {
  it.each([
    'https://a.example:99999/',
    'https://256.1.1.1/',
    'https://1.2.3.4.5/',
    'https://a%2fb/',
    'https://a%40evil.example/',
    'https://%00/',
    'https://xn--a/',
    'https://[v1.a]/',
  ])('SD-2 %s is refused when it is published, not thrown when it is called', (url) => {
    const seed = seedDescriptor() as { endpoint: object };
    const { violations } = validateDescriptor({ ...seed, endpoint: { ...seed.endpoint, url, status_url: url } });
    expect(violations.map(({ code, field }) => [code, field])).toEqual(
      expect.arrayContaining([
        ['URL_INVALID', '/endpoint/url'],
        ['URL_INVALID', '/endpoint/status_url'],
      ]),
    );
  });
});
