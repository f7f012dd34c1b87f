export type { DescriptorChangeCode } from './change-texts.ts';
export {
  type AccessPolicy,
  type AuthParameter,
  type AuthType,
  type CapabilityType,
  DESCRIPTOR_SCHEMA,
  ENDPOINT_DEFAULTS,
  type InputType,
  type SkillAuth,
  type SkillDescriptor,
  type SkillEndpoint,
  type SkillIndex,
  type SkillIndexEntry,
  type SkillInput,
  type SkillOutput,
  type SkillProvider,
} from './descriptor.ts';
export { type DescriptorChange, type DescriptorDiff, diffDescriptors, type VersionProblem } from './diff.ts';
export { fromMcpTool, type SkillBase, type SkillFromTool } from './from-mcp.ts';
export { type InputsFromSchema, type SchemaLoss, toInputs } from './from-schema.ts';
export { hasDefault, toInputSchema } from './input-schema.ts';
export { type DescriptorParse, parseDescriptor } from './parse.ts';
export {
  type ReadIndex,
  type ReadIndexOptions,
  type ReadSkillList,
  readSkillIndex,
  readSkillList,
} from './read-index.ts';
export { type A2aSkill, toA2aSkill } from './to-a2a.ts';
export { type McpTool, toMcpTool } from './to-mcp.ts';
export { toOpenApi } from './to-openapi.ts';
export { fillTemplate, toCancelUrl } from './url.ts';
export { type DescriptorValidation, isJsonType, type ValidateOptions, validateDescriptor } from './validate.ts';
export { compareVersions, findIncompatibility, type Incompatibility, PROTOCOL_VERSION } from './version.ts';
export { translateViolation, type Violation } from './violation.ts';
