import * as sdk from '@parley/agent';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { COMMANDS, PROGRAM, writeSettings } from './snippet.ts';

describe('WC-64 the program to copy', () => {
  it('WC-64 it parses, and takes from the SDK what there is', () => {
    const { body } = parseAst(PROGRAM);
    const imports = body.flatMap((node) => (node.type === 'ImportDeclaration' ? [node] : []));
    expect(imports.map(({ source }) => source.value)).toEqual(['@parley/agent']);
    for (const { specifiers } of imports)
      for (const { local } of specifiers) expect(Object.keys(sdk)).toContain(local.name);
    for (const [, method] of PROGRAM.matchAll(/\bagent\.(\w+)\(/g))
      expect(sdk.HasheeAgent.prototype).toHaveProperty(method!);
  });

  it('WC-64 every setting that it reads is in its settings, and no command names the token', () => {
    const settings = writeSettings({ url: 'https://parley.example', agentId: 'an-id' });
    for (const [, name] of PROGRAM.matchAll(/process\.env\.(\w+)/g)) expect(settings).toMatch(`${name}=`);
    expect(settings).toContain('PARLEY_AGENT_ID=an-id\n');
    expect(settings).toContain('PARLEY_AGENT_TOKEN=\n');
    expect(COMMANDS).not.toMatch(/token/i);
    expect(COMMANDS).toContain('--env-file=.env');
  });
});
