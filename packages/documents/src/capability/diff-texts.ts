import type { Texts } from '@parley/base';

const text = (en: string, zh: string): Texts => ({ en, 'zh-CN': zh });

/** One sentence per change: what is different, or no longer works. Variants are `code.variant`. */
export const CHANGE_TEXTS = {
  'schema.required_added': text(
    '"{where}" is now required: calls that leave it out are refused.',
    '“{where}”现在是必填项：未提供它的调用会被拒绝。',
  ),
  'schema.type_changed': text(
    '"{where}" changes its type from {before} to {after}.',
    '“{where}”的类型由 {before} 改为 {after}。',
  ),
  'schema.closed': text(
    '{place}: properties that are not declared are now refused.',
    '{place}：未声明的属性现在会被拒绝。',
  ),
  'schema.opened': text(
    '{place}: properties that are not declared are now accepted.',
    '{place}：现在接受未声明的属性。',
  ),
  'schema.enum_removed': text('"{where}" no longer accepts {before}.', '“{where}”不再接受 {before}。'),
  'schema.enum_added': text('"{where}" now also accepts {after}.', '“{where}”现在也接受 {after}。'),
  'schema.narrowed': text(
    '"{where}": {keyword} is now {after} (was {before}), which refuses values that were accepted.',
    '“{where}”：{keyword} 由 {before} 改为 {after}，会拒绝以前接受的值。',
  ),
  'schema.narrowed.added': text(
    '"{where}": the new {keyword} {after} refuses values that were accepted.',
    '“{where}”：新增的 {keyword} {after} 会拒绝以前接受的值。',
  ),
  'schema.narrowed.removed': text(
    '"{where}": the removed {keyword} means that values that were accepted are refused.',
    '“{where}”：移除 {keyword} 后，会拒绝以前接受的值。',
  ),
  'schema.narrowed.property_added': text(
    '"{where}" could be anything before and must now follow a schema.',
    '“{where}”以前可以是任意值，现在必须符合声明的 Schema。',
  ),
  'schema.narrowed.property_removed': text(
    '"{where}" is no longer declared, and so no longer accepted as it was.',
    '“{where}”不再声明，因此不再像以前那样被接受。',
  ),
  'schema.narrowed.whole': text(
    'Taken together, the edits refuse arguments that were accepted.',
    '综合来看，这些修改会拒绝以前接受的参数。',
  ),
  'schema.narrowed.undecided': text(
    '"{where}": it isn’t certain that everything accepted before is still accepted.',
    '“{where}”：无法确定以前接受的值现在仍被接受。',
  ),
  'schema.widened': text(
    '"{where}" accepts more than before ({keyword}).',
    '“{where}”接受的值比以前更多（{keyword}）。',
  ),
  'schema.widened.property_added': text('"{where}" may now be given.', '现在可以提供“{where}”。'),
  'schema.widened.property_removed': text(
    '"{where}" is no longer declared and may now be anything.',
    '“{where}”不再声明，现在可以是任意值。',
  ),
  'schema.widened.whole': text(
    'Taken together, the edits may accept arguments that were refused.',
    '综合来看，这些修改可能会接受以前拒绝的参数。',
  ),
  'schema.widened.optional': text('"{where}" is no longer required.', '“{where}”不再是必填项。'),
  'schema.annotation': text(
    '"{where}": wording or arrangement changed; the same values are accepted.',
    '“{where}”：只是文字或写法有变，接受的值不变。',
  ),
  'tool.sensitivity_raised': text(
    '{tool} moves from the permission {from} ({before}) to the more sensitive {to} ({after}).',
    '{tool} 从权限 {from}（{before}）改到更敏感的 {to}（{after}）。',
  ),
  'tool.sensitivity_lowered': text(
    '{tool} moves from the permission {from} ({before}) to the less sensitive {to} ({after}).',
    '{tool} 从权限 {from}（{before}）改到较不敏感的 {to}（{after}）。',
  ),
  'tool.scope_changed': text(
    '{tool} moves from the permission {from} to {to}, which has the same level ({after}).',
    '{tool} 从权限 {from} 改到同级的 {to}（{after}）。',
  ),
  'tool.added': text('The tool {tool} is new. It uses the permission {scope}.', '新增工具 {tool}，使用权限 {scope}。'),
  'tool.removed': text('The tool {tool} is gone.', '工具 {tool} 已移除。'),
  'scope.sensitivity_raised': text(
    'The permission {scope} is now {after} (was {before}).',
    '权限 {scope} 的敏感度由{before}升为{after}。',
  ),
  'scope.sensitivity_lowered': text(
    'The permission {scope} is now {after} (was {before}).',
    '权限 {scope} 的敏感度由{before}降为{after}。',
  ),
  'scope.added': text(
    'The permission {scope} ({level}) is new and has to be allowed.',
    '新增权限 {scope}（{level}），需要同意。',
  ),
  'scope.removed': text('The permission {scope} is gone.', '权限 {scope} 已移除。'),
  'flag.revoked': text('The agent no longer declares {flag}.', 'Agent 不再声明 {flag}。'),
  'flag.added': text('The agent now declares {flag}.', 'Agent 现在声明 {flag}。'),
  'text.changed': text('The text {field} changed.', '文案 {field} 有变。'),
  'agent_version.changed': text(
    'The agent’s version is now {after} (was {before}).',
    'Agent 的版本由 {before} 改为 {after}。',
  ),
  'timeout.changed': text('The timeout is now {after} ms (was {before}).', '超时由 {before} 毫秒改为 {after} 毫秒。'),
  'required.changed': text(
    'Whether the tool is required when adding the agent changed ({before} → {after}).',
    '添加 Agent 时此工具是否必需有变（{before} → {after}）。',
  ),
  'extension.changed': text(
    'The field {field} changed. It has no meaning here.',
    '字段 {field} 有变，但平台不使用它。',
  ),
} as const;

export const DIFF_TEXTS = {
  arguments: text('the arguments', '参数'),
  example: text(' For example: {witness}', '例如：{witness}'),
  none: text('Nothing changed.', '没有变化。'),
  order: text('Only the order or notation changed. The meaning is the same.', '只有顺序或写法有变，含义不变。'),
  breaking: text(
    'Breaking: people who use this agent will be asked again ({breaking} of {total} changes).',
    '不兼容：会再次询问此 Agent 的用户（{total} 处变更中有 {breaking} 处）。',
  ),
  silent: text(
    'Not breaking: {total} changes, nobody is asked again.',
    '兼容：共 {total} 处变更，无需再次询问任何人。',
  ),
  reauth: text('Permissions to agree to again: {scopes}', '需要重新同意的权限：{scopes}'),
  agent: text('The agent', 'Agent 本身'),
  tool: text('Tool {name}', '工具 {name}'),
  scope: text('Permission {name}', '权限 {name}'),
} as const;
