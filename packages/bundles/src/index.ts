export { BundleError } from './failure.ts';
export type { FileSystem } from './files/file-system.ts';
export type { Leftover, Recovery } from './files/recover.ts';
export type { InstalledBundle, State } from './files/state.ts';
export { recover } from './files/workspace.ts';
export {
  type ActivateInput,
  type ActivationFailure,
  type ActivationReply,
  type ActivationResult,
  activateBundle,
} from './life/activate.ts';
export type { AssertionResult } from './life/assertions.ts';
export type { Control, Progress } from './life/control.ts';
export type { Drift } from './life/drift.ts';
export type { BundleInput } from './life/prepare.ts';
export { type MissingPart, type PreviewResult, previewBundle, type ShadowPreview } from './life/preview.ts';
export { type ManualStep, type RemoveInput, type RemoveReply, rollback, uninstall } from './life/remove.ts';
export type { Roots } from './life/roots.ts';
export { type SessionInput, type SessionStart, startSession, stopSession } from './life/session.ts';
export { type BundleStatus, statusOf, type WorkspaceStatus } from './life/status.ts';
export { type BundleFolder, readBundleFolder } from './mirror/bundle-folder.ts';
export { digestFiles, matchesDigest } from './mirror/digest.ts';
export { type ImportedSkill, importSkillFolder } from './mirror/import-skill.ts';
export { buildMirrorIndex, type MirrorEntry, type MirrorIndex } from './mirror/mirror-index.ts';
export { digestFolder, readFolder } from './mirror/read-folder.ts';
export { type MirrorOptions, resolveMirror } from './mirror/resolve.ts';
export type { DueUpdate } from './mirror/updates.ts';
export { type Conflict, type ConflictCode, describeConflict } from './plan/conflict.ts';
export { describeDrift, describeKept, describeMissing } from './plan/describe.ts';
export type { KeptFile, PlanOperation } from './plan/operation.ts';
export { type Plan, type PlanInput, planActivation } from './plan/plan.ts';
export {
  EMPTY_WORKSPACE,
  type LiveFile,
  readWorkspaceState,
  type WorkspaceState,
} from './plan/workspace-state.ts';
export type { TargetId } from './project/project.ts';
export type { KitFile, KitFiles, Missing } from './project/projection.ts';
export {
  type DetectedRuntimes,
  type DetectOptions,
  detectRuntimes,
  type FoundProgram,
  findRuntimes,
} from './runtimes/detect.ts';
