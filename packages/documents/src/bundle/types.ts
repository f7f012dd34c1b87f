import type { XStatic } from 'typebox/schema';
import type { JsonObject } from '../json/value.ts';
import type {
  ACTIVATION_SCOPES,
  ASSERTION_SCHEMA,
  BUNDLE_SCHEMA,
  EDGE_SCHEMA,
  EDGE_TYPES,
  KIT_SCHEMA,
  MIRROR_SCHEMA,
  PERMISSION_SCHEMA,
  RISK_LEVELS,
  ROLE_SCHEMA,
  ROLLBACK_SCHEMA,
  RUNTIMES,
  TEAM_SCHEMA,
} from './schema.ts';

/** A bundle without errors, as `validateBundle` returns it (BN-1). No defaults are filled in. */
export type Bundle = Omit<XStatic<typeof BUNDLE_SCHEMA>, 'roles' | 'kits'> & { roles: Role[]; kits?: Kit[] };
/** A role: one part of the work, with its instructions and handoff schemas (BN-2). */
export type Role = Omit<XStatic<typeof ROLE_SCHEMA>, 'input' | 'output'> & { input?: Payload; output?: Payload };
export type Payload = Omit<NonNullable<XStatic<typeof ROLE_SCHEMA>['input']>, 'schema'> & {
  schema?: JsonObject | null;
};
/** A kit: a tool or skill with its permissions (BN-3). */
export type Kit = Omit<XStatic<typeof KIT_SCHEMA>, 'toolBinding'> & { toolBinding?: ToolBinding };
export type ToolBinding = Omit<NonNullable<XStatic<typeof KIT_SCHEMA>['toolBinding']>, 'config'> & {
  config?: JsonObject;
};
export type Permission = XStatic<typeof PERMISSION_SCHEMA>;
/** Where a kit's content is fetched from, and the digest that locks it (BN-4). */
export type Mirror = XStatic<typeof MIRROR_SCHEMA>;
/** A team of roles and the handoffs between them (BN-5). */
export type Team = XStatic<typeof TEAM_SCHEMA>;
/** One handoff between roles or kits (BN-6). */
export type HandoffEdge = XStatic<typeof EDGE_SCHEMA>;
/** How a bundle is removed again (BN-7). */
export type RollbackProfile = XStatic<typeof ROLLBACK_SCHEMA>;
/** A CEL expression that must be true before or after an activation (BN-9). */
export type Assertion = XStatic<typeof ASSERTION_SCHEMA>;

export type RiskLevel = (typeof RISK_LEVELS)[number];
export type Runtime = (typeof RUNTIMES)[number];
export type EdgeType = (typeof EDGE_TYPES)[number];
export type ActivationScope = (typeof ACTIVATION_SCOPES)[number];
/** What an activation does with a file. */
export type FileAction = 'create' | 'modify' | 'remove';
