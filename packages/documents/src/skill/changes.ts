import { equalJson } from '../json/equal.ts';
import { join } from '../json/pointer.ts';
import { get, type JsonObject } from '../json/value.ts';
import type { ChangeFact } from './change-fact.ts';
import type { DescriptorChangeCode } from './change-texts.ts';
import { compareInputs } from './compare-inputs.ts';
import { compareOutputs } from './compare-outputs.ts';
import { ACCESS_POLICIES, DESCRIPTOR_SCHEMA, type SkillDescriptor } from './descriptor.ts';
import { majorOf } from './version.ts';

export function findChanges(before: SkillDescriptor, after: SkillDescriptor): ChangeFact[] {
  return [
    ...compareChoices(before, after),
    ...compareParts(before, after),
    ...compareInputs(before.inputs, after.inputs),
    ...compareOutputs(before.output, after.output),
    ...compareRest(before, after),
  ];
}

function compareChoices(before: SkillDescriptor, after: SkillDescriptor): ChangeFact[] {
  const changes: ChangeFact[] = [];
  const note = (code: DescriptorChangeCode, path: string, was: string, is: string) =>
    changes.push({ code, path, side: 'new', params: { before: was, after: is } });
  if (before.id !== after.id) note('id.changed', '/id', before.id, after.id);
  const [was, is] = [before.protocol.version, after.protocol.version];
  if (majorOf(was) !== majorOf(is)) note('protocol.major_changed', '/protocol/version', was, is);
  if (before.capability_type !== after.capability_type) {
    note('capability_type.changed', '/capability_type', before.capability_type, after.capability_type);
  }
  if (before.auth.type !== after.auth.type) {
    note('auth.type_changed', '/auth/type', before.auth.type, after.auth.type);
  }
  if (before.access !== after.access) {
    const narrower = ACCESS_POLICIES.indexOf(after.access) > ACCESS_POLICIES.indexOf(before.access);
    note(narrower ? 'access.narrowed' : 'access.widened', '/access', before.access, after.access);
  }
  return changes;
}

type Fields = JsonObject;
const fieldsOf = (part: object) => part as Fields;

function compareParts(before: SkillDescriptor, after: SkillDescriptor): ChangeFact[] {
  const changes: ChangeFact[] = [];
  const sameMajor = majorOf(before.protocol.version) === majorOf(after.protocol.version);
  if (sameMajor && !equalJson(fieldsOf(before.protocol), fieldsOf(after.protocol))) {
    changes.push({ code: 'protocol.changed', path: '/protocol', side: 'new', params: {} });
  }
  if (before.auth.type === after.auth.type && !equalJson(fieldsOf(before.auth), fieldsOf(after.auth))) {
    changes.push({ code: 'auth.changed', path: '/auth', side: 'new', params: {} });
  }
  return [
    ...changes,
    ...compareFields(fieldsOf(before.endpoint), fieldsOf(after.endpoint), '/endpoint', () => 'endpoint.changed'),
  ];
}

/** Fields with a rule of their own, and `version`, which every new version changes. */
const JUDGED = new Set([
  'id',
  'version',
  'protocol',
  'capability_type',
  'auth',
  'access',
  'endpoint',
  'inputs',
  'output',
]);

function compareRest(before: SkillDescriptor, after: SkillDescriptor): ChangeFact[] {
  const codeOf = (field: string): DescriptorChangeCode =>
    Object.hasOwn(DESCRIPTOR_SCHEMA.properties, field) ? 'text.changed' : 'extension.changed';
  return compareFields(fieldsOf(before), fieldsOf(after), '', codeOf).filter(
    ({ params }) => !JUDGED.has(params.field!),
  );
}

function compareFields(
  before: Fields,
  after: Fields,
  path: string,
  codeOf: (field: string) => DescriptorChangeCode,
): ChangeFact[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].flatMap((field): ChangeFact[] => {
    const [was, is] = [get(before, field), get(after, field)];
    if (was !== undefined && is !== undefined && equalJson(was, is)) return [];
    const side = is === undefined ? 'old' : 'new';
    return [{ code: codeOf(field), path: join(path, field), side, params: { field } }];
  });
}
