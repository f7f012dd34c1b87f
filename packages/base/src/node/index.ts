export { findPackage, type PackageFolder } from './find-package.ts';
export { findProgram } from './find-program.ts';
export {
  type JobProblem,
  type JobRunner,
  type JobRunnerOptions,
  releaseDeadWorkers,
  startJobRunner,
} from './job-runner.ts';
export { createLockFile, findLockHolder, isLockAbandoned, openLockFolder } from './lock-folder.ts';
export { findParleyHome } from './parley-home.ts';
export { HOST, identifyThisProcess, isAlive, type ProcessIdentity } from './process-identity.ts';
export {
  acquireLock,
  type LockFile,
  type LockFolder,
  type LockHolder,
  type LockOptions,
  type LockResult,
  type ProcessLock,
} from './process-lock.ts';
export { rotateInPlace } from './rotate-in-place.ts';
export { createWhole, writeWhole } from './write-whole.ts';
