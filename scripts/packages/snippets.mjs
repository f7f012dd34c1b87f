import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBlocks } from '../guides/blocks.mjs';

/** Pages whose programs are checked as TypeScript would check them. */
const TYPED_PAGES = [
  ...['agent', 'bundles', 'skills'].map((name) => `docs/guides/${name}.md`),
  ...['agent', 'bundles', 'client', 'documents', 'skills'].map((name) => `packages/${name}/README.md`),
];

/** What the words around a program say that its reader has already: an SDK of a model, an agent, a descriptor. */
const SURROUNDINGS = `
type Agent = import('@parley/agent').HasheeAgent;
declare const agent: Agent;
declare const conversationId: string;
declare const model: string;
declare const messages: object[];
declare const openai: {
  chat: { completions: { create(request: object): Promise<{ choices: [{ message: Parameters<RunToolCalls>[2] }] }> } };
};
type RunToolCalls = typeof import('@parley/agent/openai').runOpenAIToolCalls;
declare const descriptor: import('@parley/documents/skill').SkillDescriptor;
declare const store: import('@parley/skills/provider').ExecutionStore;
declare const serveSkill: typeof import('@parley/skills/provider').serveSkill;
`;

/**
 * The programs of these pages as files: `guides-agent-23.mjs` begins in line 23 of the guide. With what they take for granted.
 *
 * @param {string} root @returns {Map<string, string>}
 */
export function collectSnippets(root) {
  const files = new Map([['surroundings.d.ts', SURROUNDINGS]]);
  for (const path of TYPED_PAGES) {
    const name = path.replace(/^docs\/|\.md$/g, '').replaceAll('/', '-');
    for (const { language, code, line } of readBlocks(readFileSync(join(root, path), 'utf8'))) {
      // Without an import or an export a file is no module, and its names would be everybody's.
      if (language === 'js') files.set(`${name}-${line}.mjs`, `${code}export {};\n`);
    }
  }
  return files;
}
