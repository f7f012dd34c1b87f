import type { SchemaChangeCode } from '../schema/diff/index.ts';

export type Policy = 'spec' | 'guide';
export const POLICIES: readonly Policy[] = ['spec', 'guide'];

export type ChangeCode =
  | SchemaChangeCode
  | 'tool.sensitivity_raised'
  | 'tool.sensitivity_lowered'
  | 'tool.scope_changed'
  | 'tool.added'
  | 'tool.removed'
  | 'scope.sensitivity_raised'
  | 'scope.sensitivity_lowered'
  | 'scope.added'
  | 'scope.removed'
  | 'flag.revoked'
  | 'flag.added'
  | 'text.changed'
  | 'agent_version.changed'
  | 'timeout.changed'
  | 'required.changed'
  | 'extension.changed';

export interface DiffRule {
  readonly rule: string;
  /** The policies under which the change is breaking. */
  readonly breaking: readonly Policy[];
  /** The policies under which it is breaking if the tool's new scope is itself new. */
  readonly breakingIntoNewScope?: readonly Policy[];
  /** The agent can now do more or less without asking: a silent change is shown as "what changed" (DF-19). */
  readonly notice?: true;
}

const BOTH: readonly Policy[] = ['spec', 'guide'];

/** The verdicts, as data. The server enforces `spec`; `guide` is the stricter list for an author's own checks. */
export const DIFF_RULES: Readonly<Record<ChangeCode, DiffRule>> = {
  'schema.required_added': { rule: 'DF-1', breaking: BOTH },
  'schema.type_changed': { rule: 'DF-2', breaking: BOTH },
  'schema.closed': { rule: 'DF-3', breaking: BOTH },
  'schema.opened': { rule: 'DF-4', breaking: ['guide'], notice: true },
  'schema.enum_removed': { rule: 'DF-5', breaking: BOTH },
  'schema.enum_added': { rule: 'DF-6', breaking: ['guide'], notice: true },
  'schema.narrowed': { rule: 'DF-7', breaking: BOTH },
  'schema.widened': { rule: 'DF-8', breaking: ['guide'], notice: true },
  'schema.annotation': { rule: 'DF-9', breaking: ['guide'] },
  'tool.sensitivity_raised': { rule: 'DF-10', breaking: BOTH },
  'scope.sensitivity_raised': { rule: 'DF-10', breaking: BOTH },
  'tool.sensitivity_lowered': { rule: 'DF-11', breaking: [] },
  'scope.sensitivity_lowered': { rule: 'DF-11', breaking: [] },
  'tool.scope_changed': { rule: 'DF-11', breaking: [], breakingIntoNewScope: ['spec'] },
  'scope.added': { rule: 'DF-12', breaking: ['spec'], notice: true },
  'scope.removed': { rule: 'DF-13', breaking: ['guide'], notice: true },
  'tool.added': { rule: 'DF-14', breaking: [], notice: true },
  'tool.removed': { rule: 'DF-15', breaking: ['guide'], notice: true },
  'flag.revoked': { rule: 'DF-16', breaking: BOTH },
  'flag.added': { rule: 'DF-17', breaking: [], notice: true },
  'text.changed': { rule: 'DF-18', breaking: [], notice: true },
  'agent_version.changed': { rule: 'DF-18', breaking: [] },
  'timeout.changed': { rule: 'DF-18', breaking: [] },
  'required.changed': { rule: 'DF-18', breaking: [] },
  'extension.changed': { rule: 'DF-18', breaking: [] },
};
