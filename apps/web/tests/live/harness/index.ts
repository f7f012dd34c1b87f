export { type AnyManifest, type Bot, DEMO_MANIFEST, registerAgent } from './bots.ts';
export { Person } from './person.ts';
export { ensureSite, SITE } from './site.ts';
export { fill, type Locale, wordsOf } from './words.ts';
export { useWorld, type World } from './world.ts';
