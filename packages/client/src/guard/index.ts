/** The pure part of the guard, for benchmarks and for other clients. */
export { type Call, decide, type GuardRelation, type GuardState, type Verdict } from './decide.ts';
export { type VerifiedManifest, verifyManifest } from './verified-manifest.ts';
