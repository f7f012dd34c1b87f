/** The pure part of the guard, for whoever measures it or builds another client around it. */
export { type Call, decide, type GuardRelation, type GuardState, type Verdict } from './decide.ts';
export { type VerifiedManifest, verifyManifest } from './verified-manifest.ts';
