export { addAuthenticator } from './authenticator.ts';
export { expectForEveryone, withAxe } from './axe.ts';
export { type AnyManifest, type Bot, DEMO_MANIFEST, WEB_SCOPE } from './bots.ts';
export { withEndlessOffers } from './offers.ts';
export { Person } from './person.ts';
export { startPost } from './post.ts';
export { ensureSite } from './site.ts';
export { fill, type Locale } from './words.ts';
export { useWorld } from './world.ts';
