import { fileURLToPath } from 'node:url';
import { bundleForBrowser } from '@parley/testkit/browser';

const locate = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const ENGINE = locate('../../src/index.ts');

/** The engine as an application would ship it: one module with every export. */
export function bundleEngine() {
  return bundleForBrowser(ENGINE);
}

/** The same for `@parley/documents/bundle`. */
export function bundleBundles() {
  return bundleForBrowser(locate('../../src/bundle/index.ts'));
}

/** The page's script, which imports the engine from `/documents.js`. */
export function bundlePage() {
  return bundleForBrowser(locate('page.ts'), { external: [ENGINE], output: { paths: { [ENGINE]: '/documents.js' } } });
}
