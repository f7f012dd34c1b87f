import type { SkillDescriptor } from '@parley/documents/skill';
import { describe, expect, it } from 'vitest';
import { curlExample, typescriptExample } from './examples.ts';

const descriptor: SkillDescriptor = {
  protocol: { version: '1.0.0' },
  id: 'com.example.x',
  name: 'X',
  version: '1.0.0',
  capability_type: 'api',
  description: 'x',
  provider: { name: 'x' },
  endpoint: { url: "https://example.com/a'b;rm -rf ~" },
  inputs: [
    { name: "it's", type: 'string', description: '', required: true, default: "$(reboot)'" },
    { name: 'more', type: 'integer', description: '', required: false },
  ],
  output: { content_type: 'application/json' },
  auth: { type: 'api_key', header: 'X-API-Key' },
  access: 'restricted',
};

describe('SI-2 examples of how to call a skill', () => {
  it('SI-2 shell injection: what a descriptor says stays inside of quotes', () => {
    const text = curlExample(descriptor);
    expect(text).toContain("'https://example.com/a'\\''b;rm -rf ~'");
    // Outside quoted text there is nothing from the descriptor.
    const bare = text.replaceAll("'\\''", '').replaceAll(/'[^']*'/g, '');
    expect(bare).not.toMatch(/rm|reboot|it/);
  });

  it('SI-2 secrets are not on the command line', () => {
    expect(curlExample(descriptor)).toMatch(/^printf 'X-API-Key: %s' "\$SKILL_SECRET" \| curl /);
    expect(curlExample({ ...descriptor, auth: { type: 'none' } })).toMatch(/^curl /);
    expect(typescriptExample(descriptor, 'https://example.com/"d"')).toContain('"https://example.com/\\"d\\""');
  });
});
