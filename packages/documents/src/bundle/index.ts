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
