import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const PACKAGES = new URL('../../../', import.meta.url);
const NAME = /^@parley\/([\w-]+)(\/.+)?$/;

/** Bundles `input` (a path) and all its imports into one minified module, as an application would ship it. */
export async function bundleForBrowser(
  input: string,
  options: Rolldown.RolldownOptions = {},
): Promise<Rolldown.OutputChunk> {
  const result = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [{ name: 'our-sources', enforce: 'pre', resolveId: findSource }],
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

/** Reads our packages from their current sources, not from the last build. */
function findSource(id: string): string | undefined {
  const [, room, subpath = ''] = NAME.exec(id) ?? [];
  if (room === undefined) return undefined;
  const folder = new URL(`${room}/`, PACKAGES);
  const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  const built: string = exports[`.${subpath}`].default;
  return fileURLToPath(new URL(built.replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts'), folder));
}
