import { describe, expect, it } from 'vitest';
import { fillTemplate, toCancelUrl } from './url.ts';

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
