export { Report as FuzzReport } from './fuzz/report.ts';
export { type FuzzOptions, fuzz } from './fuzz/run.ts';
export { shrinkFailure } from './fuzz/shrink.ts';
export type { Comparison, Failure, Subject } from './fuzz/subject.ts';
export type { Json, JsonObject } from './json.ts';
export { createJudges, type Judges } from './judge/judge.ts';
export { createRandom, type Random } from './random.ts';
