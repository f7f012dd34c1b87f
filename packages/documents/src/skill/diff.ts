import { fillText, type Locale } from '@parley/base';
import { displayText } from '../display-text.ts';
import type { Json } from '../json/value.ts';
import type { ChangeFact } from './change-fact.ts';
import { CHANGE_TEXTS, type DescriptorChangeCode } from './change-texts.ts';
import { findChanges } from './changes.ts';
import type { SkillDescriptor } from './descriptor.ts';
import { compareVersions, majorOf } from './version.ts';

export interface DescriptorChange {
  readonly code: DescriptorChangeCode;
  /** JSON Pointer into the descriptor of `side`: the new one, for removals the old one. */
  readonly path: string;
  readonly side: 'old' | 'new';
  readonly breaking: boolean;
  readonly message: string;
  readonly input?: string;
  /** A value that shows it: an input that is no longer accepted, or an output that was not allowed before. */
  readonly witness?: Json;
}

export type VersionProblem = 'same_version' | 'lower_version' | 'major_needed';

export interface DescriptorDiff {
  readonly breaking: boolean;
  readonly changes: readonly DescriptorChange[];
  /** Why the new version may not follow the old one (SD-7). */
  readonly versionProblem?: VersionProblem;
}

/** Finds and judges every change between two valid descriptors of one skill (SD-7). */
export function diffDescriptors(
  before: SkillDescriptor,
  after: SkillDescriptor,
  options: { locale?: Locale } = {},
): DescriptorDiff {
  const changes = findChanges(before, after).map((fact) => judge(fact, options.locale ?? 'en'));
  const breaking = changes.some((change) => change.breaking);
  const versionProblem = findVersionProblem(before.version, after.version, breaking);
  return { breaking, changes, ...(versionProblem === undefined ? {} : { versionProblem }) };
}

function findVersionProblem(before: string, after: string, breaking: boolean): VersionProblem | undefined {
  const order = compareVersions(after, before);
  if (order === 0) return 'same_version';
  if (order < 0) return 'lower_version';
  return breaking && majorOf(after) === majorOf(before) ? 'major_needed' : undefined;
}

function judge(fact: ChangeFact, locale: Locale): DescriptorChange {
  const { code, path, side, params, input, witness } = fact;
  const { breaking, ...texts } = CHANGE_TEXTS[code];
  const message = fillText(texts[locale], params, (value) => displayText(String(value)));
  return {
    code,
    path,
    side,
    breaking,
    message,
    ...(input === undefined ? {} : { input }),
    ...(witness === undefined ? {} : { witness }),
  };
}
