export { ASSERTION_VARIABLES, type ConditionProblem, checkCondition, EDGE_VARIABLES } from './condition/check.ts';
export { type ConditionResult, evaluateCondition } from './condition/evaluate.ts';
export type { BundleChange } from './diff/changes.ts';
export { type BundleDiff, diffBundles } from './diff/diff.ts';
export type { BundleChangeCode, BundleConsent } from './diff/rules.ts';
export { resolveBundleEntry } from './entry.ts';
export type { BundleFinding, Level } from './finding.ts';
export type { Surroundings } from './levels/level.ts';
export { renderMarkdown } from './markdown.ts';
export type { Migrations } from './migrate.ts';
export { parseBundle } from './parse.ts';
export { findPathProblem, foldPath, isSafePath, type PathProblem } from './path.ts';
export { findPlanPathProblems, type PlanPathProblem } from './plan-paths.ts';
export {
  type BundlePreview,
  type PreviewCapability,
  type PreviewFile,
  type PreviewInput,
  type PreviewMember,
  type PreviewPermission,
  previewBundle,
} from './preview.ts';
export { type Projection, projectToManifest } from './project.ts';
export type { ProjectionNote } from './project-texts.ts';
export { bundleRisk } from './risk.ts';
export { computeRoutes, type RouteEdge, type Routes, type TeamRoute } from './routes.ts';
export { BUNDLE_SCHEMA } from './schema.ts';
export type {
  ActivationScope,
  Assertion,
  Bundle,
  EdgeType,
  HandoffEdge,
  Kit,
  Mirror,
  Payload,
  Permission,
  RiskLevel,
  Role,
  RollbackProfile,
  Runtime,
  Team,
  ToolBinding,
} from './types.ts';
export {
  type BundleOptions,
  type BundleValidation,
  type LevelResult,
  type ReadBundle,
  readBundle,
  rejectBundle,
  validateBundle,
} from './validate.ts';
export { toFindingReply, toValidationReply } from './validation-reply.ts';
