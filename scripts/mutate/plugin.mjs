import { join } from 'node:path';
import { ROOT } from '../files.mjs';
import { applyMutant, readMutants } from './mutants.mjs';

/** Applies the mutant that PARLEY_MUTANT names as its file is loaded; no file is touched. */
export function mutantPlugin(id = process.env.PARLEY_MUTANT) {
  const mutant = id && readMutants().find((one) => one.id === id);
  if (id && mutant === undefined) throw new Error(`PARLEY_MUTANT: there is no mutant ${id}`);
  return {
    name: 'parley-mutant',
    enforce: 'pre',
    transform: (source, path) =>
      mutant && path.split('?')[0] === join(ROOT, mutant.file) ? applyMutant(source, mutant) : undefined,
  };
}
