import type { Locale } from '@parley/base';
import { measure } from '../capability/measure.ts';
import { Report } from '../capability/report.ts';
import { isSemVer } from '../capability/semver.ts';
import { get, isObject, type Json, type JsonObject } from '../json/value.ts';
import {
  DESCRIPTOR_SCHEMA,
  PROTOCOL_SCHEMA,
  PROVIDER_SCHEMA,
  type SkillIndex,
  type SkillIndexEntry,
} from './descriptor.ts';
import { checkShape } from './shape.ts';
import { checkUrl } from './url.ts';
import { addFault, showValue, toViolations, VIOLATION_TEXTS, type Violation } from './violation.ts';

const { id, name, capability_type, description, access, version, documentation_url } = DESCRIPTOR_SCHEMA.properties;
const ENTRY_SCHEMA = {
  type: 'object',
  required: ['id', 'name', 'capability_type', 'description', 'descriptor_url', 'access', 'version'],
  properties: { id, name, capability_type, description, access, version, descriptor_url: documentation_url },
} as const;

const INDEX_SCHEMA = {
  type: 'object',
  required: ['protocol', 'provider', 'skills'],
  properties: { protocol: PROTOCOL_SCHEMA, provider: PROVIDER_SCHEMA, skills: { type: 'array', maxItems: 10_000 } },
} as const;

const LIST_SCHEMA = {
  type: 'object',
  required: ['skills'],
  properties: { skills: INDEX_SCHEMA.properties.skills },
} as const;

export interface ReadIndex {
  /** Has only the valid entries; absent if the whole index is unusable. */
  readonly index?: SkillIndex;
  readonly problems: readonly Violation[];
}

export interface ReadIndexOptions {
  readonly development?: boolean;
  readonly locale?: Locale;
}

export interface ReadSkillList {
  readonly skills: readonly SkillIndexEntry[];
  readonly problems: readonly Violation[];
}

/** Reads the `skills` of any answer, such as one to a search (SD-8). */
export function readSkillList(value: unknown, options: ReadIndexOptions = {}): ReadSkillList {
  const { development = false, locale = 'en' } = options;
  const report = new Report();
  checkShape(value as Json, LIST_SCHEMA, '', report);
  const list = isObject(value) ? get(value, 'skills') : undefined;
  const skills = report.hasErrors ? [] : readEntries(list as readonly Json[], { development, base: '/skills' }, report);
  return { skills, problems: toViolations(report, locale).violations };
}

/** Reads an index of any origin (SD-8). A bad entry is reported, and the others stay usable. */
export function readSkillIndex(value: unknown, options: ReadIndexOptions = {}): ReadIndex {
  const { development = false, locale = 'en' } = options;
  const report = new Report();
  checkShape(value as Json, INDEX_SCHEMA, '', report);
  if (report.hasErrors || !isObject(value)) return { problems: toViolations(report, locale).violations };
  const entries = readEntries(get(value, 'skills') as readonly Json[], { development, base: '/skills' }, report);
  return {
    index: { ...(value as unknown as SkillIndex), skills: entries },
    problems: toViolations(report, locale).violations,
  };
}

interface EntryOptions {
  readonly development: boolean;
  /** The pointer to the list. */
  readonly base: string;
}

function readEntries(list: readonly Json[], { development, base }: EntryOptions, report: Report): SkillIndexEntry[] {
  const seen = new Set<string>();
  return list.flatMap((entry, position) => {
    const own = new Report();
    const path = `${base}/${position}`;
    if (measure(entry, own)) checkEntry(entry, path, development, own);
    if (!own.hasErrors) {
      const { id: entryId, version: entryVersion } = entry as unknown as SkillIndexEntry;
      const key = JSON.stringify([entryId, entryVersion]);
      if (seen.has(key)) {
        addFault(own, 'ID_REPEATED', `${path}/id`, { expected: 'unique id and version', actual: showValue(entryId) });
      }
      seen.add(key);
    }
    for (const finding of own.messages('en', VIOLATION_TEXTS)) if (finding.severity === 'error') report.push(finding);
    return own.hasErrors ? [] : [entry as unknown as SkillIndexEntry];
  });
}

function checkEntry(entry: Json, path: string, development: boolean, report: Report): void {
  checkShape(entry, ENTRY_SCHEMA, path, report);
  if (!isObject(entry)) return;
  const fields: JsonObject = entry;
  const url = get(fields, 'descriptor_url');
  if (typeof url === 'string') checkUrl(url, `${path}/descriptor_url`, development, report);
  const text = get(fields, 'version');
  if (typeof text === 'string' && !isSemVer(text)) {
    addFault(report, 'VERSION_INVALID', `${path}/version`, { expected: 'SemVer 2.0.0', actual: showValue(text) });
  }
}
