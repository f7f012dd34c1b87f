import type { Locale } from '@parley/base';

/** `reauth`: the user has to agree again. `notice`: the user is told. `none`: it does not concern the user. */
export type BundleConsent = 'reauth' | 'notice' | 'none';

interface Rule extends Readonly<Record<Locale, string>> {
  readonly consent: BundleConsent;
}

const reauth = (en: string, zh: string): Rule => ({ consent: 'reauth', en, 'zh-CN': zh });
const notice = (en: string, zh: string): Rule => ({ consent: 'notice', en, 'zh-CN': zh });
const none = (en: string, zh: string): Rule => ({ consent: 'none', en, 'zh-CN': zh });

/** Every kind of change between two bundles, the consent it needs, and its sentence. */
export const CHANGE_RULES = {
  'bundle.replaced': reauth(
    'This is another bundle: "{after}" instead of "{before}".',
    '这是另一个套件：“{after}”，而不是“{before}”。',
  ),
  'bundle.risk_raised': reauth('The risk rises from {before} to {after}.', '风险从 {before} 升至 {after}。'),
  'bundle.risk_lowered': notice('The risk falls from {before} to {after}.', '风险从 {before} 降至 {after}。'),
  'bundle.version_changed': none('Version {before} becomes {after}.', '版本从 {before} 变为 {after}。'),
  'bundle.author_changed': notice('The author was "{before}" and is now "{after}".', '作者由“{before}”变为“{after}”。'),
  'bundle.text_changed': none('"{field}" reads differently.', '“{field}”的文字有变化。'),
  'scope.wider': reauth(
    'It is active more widely: {after} instead of {before}.',
    '生效范围扩大：由 {before} 变为 {after}。',
  ),
  'scope.narrower': none(
    'It is active less widely: {after} instead of {before}.',
    '生效范围缩小：由 {before} 变为 {after}。',
  ),
  'rollback.weaker': reauth(
    'It can be undone less well: {after} instead of {before}.',
    '撤销能力减弱：由 {before} 变为 {after}。',
  ),
  'rollback.stronger': none(
    'It can be undone better: {after} instead of {before}.',
    '撤销能力增强：由 {before} 变为 {after}。',
  ),
  'role.added': notice('New role: "{id}".', '新增角色“{id}”。'),
  'role.removed': notice('The role "{id}" is gone.', '角色“{id}”已删除。'),
  'role.changed': notice('The role "{id}" changes: {fields}.', '角色“{id}”有变化：{fields}。'),
  'role.boundary_removed': reauth('The role "{id}" no longer promises: {text}', '角色“{id}”不再承诺：{text}'),
  'role.kit_added': notice('The role "{id}" may now use the kit "{kit}".', '角色“{id}”现在可以使用能力包“{kit}”。'),
  'role.risky_kit_added': reauth(
    'The role "{id}" may now use the kit "{kit}", whose risk is {risk}.',
    '角色“{id}”现在可以使用风险为 {risk} 的能力包“{kit}”。',
  ),
  'kit.added': notice('New kit: "{id}", risk {risk}.', '新增能力包“{id}”，风险 {risk}。'),
  'kit.code_added': reauth(
    'New kit that runs something: "{id}", risk {risk}.',
    '新增会运行内容的能力包“{id}”，风险 {risk}。',
  ),
  'kit.critical_added': reauth('New critical kit: "{id}".', '新增风险为“critical”的能力包“{id}”。'),
  'kit.removed': notice('The kit "{id}" is gone.', '能力包“{id}”已删除。'),
  'kit.changed': notice('The kit "{id}" changes: {fields}.', '能力包“{id}”有变化：{fields}。'),
  'kit.risk_raised': reauth(
    'The risk of the kit "{id}" rises from {before} to {after}.',
    '能力包“{id}”的风险从 {before} 升至 {after}。',
  ),
  'kit.risk_lowered': notice(
    'The kit "{id}" now calls its risk {after}, not {before}.',
    '能力包“{id}”现将其风险标为 {after}，而不是 {before}。',
  ),
  'kit.code_changed': reauth(
    'What the kit "{id}" runs changes: {fields}.',
    '能力包“{id}”所运行的内容有变化：{fields}。',
  ),
  'permission.added': reauth(
    'The kit "{id}" wants a new permission: {permission}.',
    '能力包“{id}”要求新的权限：{permission}。',
  ),
  'permission.removed': none(
    'The kit "{id}" gives up a permission: {permission}.',
    '能力包“{id}”放弃权限：{permission}。',
  ),
  'mirror.added': reauth('The content of the kit "{id}" now comes from {after}.', '能力包“{id}”的内容现来自 {after}。'),
  'mirror.removed': notice('The kit "{id}" no longer has a locked source.', '能力包“{id}”不再有锁定的来源。'),
  'mirror.digest_changed': reauth(
    'The kit "{id}" has other content: {after} instead of {before}.',
    '能力包“{id}”的内容变了：由 {before} 变为 {after}。',
  ),
  'mirror.source_changed': reauth(
    'The content of the kit "{id}" comes from {after} instead of {before}.',
    '能力包“{id}”的来源由 {before} 变为 {after}。',
  ),
  'mirror.auto_update': reauth('The kit "{id}" asks to update itself.', '能力包“{id}”要求自动更新。'),
  'team.added': notice('New team: "{id}".', '新增团队“{id}”。'),
  'team.removed': notice('The team "{id}" is gone.', '团队“{id}”已删除。'),
  'route.entry_changed': notice(
    'Work starts with "{after}" instead of "{before}".',
    '工作由“{after}”开始，而不是“{before}”。',
  ),
  'route.edge_added': notice('New handoff in "{id}": {edge}.', '“{id}”中新增交接：{edge}。'),
  'route.edge_removed': notice('A handoff in "{id}" is gone: {edge}.', '“{id}”中的交接已删除：{edge}。'),
  'route.changed': notice('The team "{id}" works differently: {fields}.', '团队“{id}”的工作方式有变化：{fields}。'),
  'escalation.weaker': reauth('The team "{id}" asks a person less often than before.', '团队“{id}”比以前更少询问人。'),
  'escalation.stronger': none('The team "{id}" asks a person more often than before.', '团队“{id}”比以前更多询问人。'),
  'assertion.added': none('New check on activation: "{id}".', '新增激活检查“{id}”。'),
  'assertion.removed': notice('A check on activation is gone: "{id}".', '激活检查“{id}”已删除。'),
  'assertion.changed': notice('A check on activation changes: "{id}".', '激活检查“{id}”有变化。'),
} as const satisfies Readonly<Record<string, Rule>>;

export type BundleChangeCode = keyof typeof CHANGE_RULES;
