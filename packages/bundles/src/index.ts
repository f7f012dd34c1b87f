// A workspace is on a disk: its types stand on Node's, which the package brings along (PK-2).
/// <reference types="node" preserve="true" />

export { bundleError } from './bundle-error.ts';
export type { FileSystem } from './files/file-system.ts';
export type { Leftover, Recovery } from './files/recover.ts';
export type { InstalledBundle, State } from './files/state.ts';
export { recover } from './files/workspace.ts';
export { digestFiles, matchesDigest } from './kits/digest.ts';
export type { KitFile, KitFiles } from './kits/kit-file.ts';
export {
  type ActivateInput,
  type ActivateOptions,
  type ActivationFailure,
  type ActivationRefusal,
  type ActivationReply,
  type ActivationResult,
  activateBundle,
  activatePrepared,
} from './lifecycle/activate.ts';
export type { AssertionResult } from './lifecycle/assertions.ts';
export { type Drift, describeDrift } from './lifecycle/drift.ts';
export type { BundleInput, PreparedBundle } from './lifecycle/prepare.ts';
export { type MissingPart, type PreviewResult, previewBundle, type ShadowPreview } from './lifecycle/preview.ts';
export {
  type ManualStep,
  previewRemoval,
  type RemovalPreview,
  type RemoveInput,
  type RemoveReply,
  rollback,
  uninstall,
} from './lifecycle/remove.ts';
export type { Roots } from './lifecycle/roots.ts';
export { type BundleStatus, statusOf, type WorkspaceStatus } from './lifecycle/status.ts';
export {
  startWorkspaceSession,
  stopWorkspaceSession,
  type WorkspaceSessionInput,
  type WorkspaceSessionStart,
} from './lifecycle/workspace-session.ts';
export { type BundleFolder, readBundleFolder } from './mirror/bundle-folder.ts';
export { type ImportedSkill, importSkillFolder } from './mirror/import-skill.ts';
export { buildMirrorIndex, type MirrorEntry, type MirrorIndex } from './mirror/mirror-index.ts';
export { digestFolder, readFolder } from './mirror/read-folder.ts';
export { type MirrorOptions, resolveMirror } from './mirror/resolve.ts';
export type { DueUpdate } from './mirror/updates.ts';
export type { OperationOptions, Progress } from './operation-options.ts';
export { type Conflict, type ConflictCode, describeConflict } from './plan/conflict.ts';
export { describeKept, type KeptFile } from './plan/kept-file.ts';
export type { PlanOperation } from './plan/operation.ts';
export type { Plan } from './plan/plan.ts';
export { type LiveFile, readWorkspaceState, type WorkspaceState } from './plan/workspace-state.ts';
export { describeMissing, type Missing } from './project/missing.ts';
export type { TargetId } from './project/project.ts';
export {
  type DetectedRuntimes,
  type DetectOptions,
  detectRuntimes,
  type FoundProgram,
  findRuntimes,
} from './runtimes/detect.ts';
