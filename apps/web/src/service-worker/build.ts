import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export const WORKER = 'sw.js';

/** Inserts the list of files into the worker. If a file changes, the worker changes too, so that browsers notice the update. */
export function listSite(publicDir: string): Plugin {
  return {
    name: 'parley-list-site',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const worker = bundle[WORKER];
        if (worker?.type !== 'chunk') throw new Error('the service worker is not part of the build');
        if (worker.imports.length > 0) throw new Error('the service worker must be one file');
        const own = readdirSync(publicDir);
        const files = [...Object.keys(bundle).filter((name) => name.startsWith('assets/')), ...own].sort();
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('index.html is not part of the build');
        const hash = createHash('sha256').update(files.join('\n')).update(page.source);
        for (const name of own) hash.update(readFileSync(join(publicDir, name)));
        const site = { files, version: hash.digest('hex').slice(0, 16) };
        worker.code = `const SITE=${JSON.stringify(site)};\n${worker.code}`;
      },
    },
  };
}
