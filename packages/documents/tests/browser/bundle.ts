import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const locate = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const ENGINE = locate('../../src/index.ts');

/** The engine as an application would ship it: one minified module with every export. */
export function bundleEngine(): Promise<Rolldown.OutputChunk> {
  return bundle(ENGINE, {});
}

/** The page's script, which imports the engine from `/documents.js`. */
export function bundlePage(): Promise<Rolldown.OutputChunk> {
  return bundle(locate('page.ts'), { external: [ENGINE], output: { paths: { [ENGINE]: '/documents.js' } } });
}

async function bundle(input: string, options: Rolldown.RolldownOptions): Promise<Rolldown.OutputChunk> {
  const result = await build({
    root: locate('.'),
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      rolldownOptions: { input, preserveEntrySignatures: 'strict', ...options },
    },
  });
  const [chunk, ...others] = (result as Rolldown.RolldownOutput).output;
  if (others.length > 0) throw new Error(`more than one file: ${others.map((file) => file.fileName)}`);
  return chunk;
}
