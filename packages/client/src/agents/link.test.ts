import { describe, expect, it } from 'vitest';
import { formatAgentLink, parseAgentLink } from './link.ts';

const agentId = '018f0000-0000-7000-8000-00000000000a';
const fingerprint = `${'A1b2-_'.repeat(7)}x`;

describe('EE-9 links to agents', () => {
  it('EE-9 what is formatted is read back, with and without fingerprint, as an app link and as a web link', () => {
    for (const link of [{ agentId }, { agentId, fingerprint }]) {
      expect(parseAgentLink(formatAgentLink(link))).toEqual(link);
      expect(parseAgentLink(formatAgentLink(link, 'https://parley.example/'))).toEqual(link);
      expect(parseAgentLink(` ${formatAgentLink(link, 'https://parley.example/app')}\n`)).toEqual(link);
    }
    expect(formatAgentLink({ agentId, fingerprint })).toBe(`parley://agent/${agentId}#${fingerprint}`);
  });

  it.each([
    ['a cut fingerprint', `parley://agent/${agentId}#${fingerprint.slice(1)}`],
    ['an empty one', `parley://agent/${agentId}#`],
    ['no id', 'parley://agent/'],
    ['another path', `https://parley.example/users/${agentId}`],
    ['another scheme', `javascript://agent/${agentId}`],
    ['a query', `parley://agent/${agentId}?x=1#${fingerprint}`],
    ['words', 'hello'],
  ])('EE-9 strip the fingerprint off a link: %s is no link at all', (_, text) => {
    expect(() => parseAgentLink(text)).toThrow(expect.objectContaining({ code: 'LINK_INVALID' }));
  });
});
