export { bundleForBrowser } from './bundle.ts';
export { BROWSER_LIMIT_MS, shareBrowser } from './launch.ts';
export { ask, openPages, type Pages } from './pages.ts';
export { serve } from './serve.ts';
