import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));
const sources = () =>
  readdirSync(SOURCE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

/** Routes whose rows the client compares with what was signed or pinned, before anyone sees them. */
const BOUND = /\b(conversationRoutes|deviceRoutes|keyRoutes|relationRoutes|\w*[rR]elations?|appendLedger|readLedger)\b/;
const imported = (text: string) =>
  [...text.matchAll(/import\s*\{([^}]*)\}\s*from '@parley\/protocol'/g)].map(([, names]) => names!).join();

describe('EE-15 what the page shows', () => {
  it('EE-15 no screen reads rows of relations, conversations or devices by itself', () => {
    const files = sources();
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => BOUND.test(imported(readFileSync(file, 'utf8'))))).toEqual([]);
  });

  it('EE-15 the search for them finds them', () => {
    for (const name of ['conversationRoutes', 'deviceRoutes', 'readRelation', 'listRelations', 'appendLedger'])
      expect(BOUND.test(imported(`import { authRoutes, ${name} } from '@parley/protocol';`))).toBe(true);
    expect(BOUND.test(imported("import { deviceFlowRoutes } from '@parley/protocol';"))).toBe(false);
  });
});
