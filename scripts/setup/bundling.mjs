import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Asked for where they are there, and none of them is installed. */
export const OPTIONAL = ['pg-native', 'bufferutil', 'utf-8-validate'];

export const treeshake = {
  moduleSideEffects: [
    // Its modules only define; it does not say so itself.
    { test: /\/node_modules\/typebox\//, sideEffects: false },
    // Importing a package of ours starts nothing.
    { test: /\/(packages|apps\/server)\/[^/]*\/?dist\//, sideEffects: false },
  ],
};

/**
 * Our modules look for files beside them and name their sources in stack traces. Bundled into `folder`, they still do.
 *
 * @param {string} folder @returns {import('rolldown').Plugin}
 */
export function keepOrigin(folder) {
  return {
    name: 'keep-origin',
    load(id) {
      const map = `${id}.map`;
      if (id.includes('node_modules') || !existsSync(map)) return undefined;
      const origin = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
      const { sources, ...rest } = JSON.parse(readFileSync(map, 'utf8'));
      return {
        code: readFileSync(id, 'utf8').replaceAll('import.meta.url', origin),
        map: {
          ...rest,
          sources: sources.map((source) => fileURLToPath(new URL(source, `file://${dirname(id)}/`))),
        },
      };
    },
  };
}
