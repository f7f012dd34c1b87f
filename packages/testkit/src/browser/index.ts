export { bundleForBrowser } from './bundle.ts';
export { BROWSER_LIMIT_MS, launchBrowser } from './launch.ts';
export { type Site, serve } from './serve.ts';
