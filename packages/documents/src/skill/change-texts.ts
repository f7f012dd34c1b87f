import type { Locale } from '@parley/base';

interface ChangeText extends Readonly<Record<Locale, string>> {
  readonly breaking: boolean;
}

const breaking = (en: string, zh: string): ChangeText => ({ breaking: true, en, 'zh-CN': zh });
const silent = (en: string, zh: string): ChangeText => ({ breaking: false, en, 'zh-CN': zh });

/** The verdicts of SD-7, as data. A change that the rule does not name is breaking if it could harm a caller. */
export const CHANGE_TEXTS = {
  'id.changed': breaking('The id changed: this is another skill.', 'id 已改变：这是另一个技能。'),
  'protocol.major_changed': breaking(
    'The protocol went from {before} to {after}; consumers of the old one cannot read it.',
    '协议版本由 {before} 变为 {after}，旧版调用者无法读取。',
  ),
  'protocol.changed': silent('The protocol details changed.', '协议信息已改变。'),
  'capability_type.changed': breaking(
    'The capability type changed from {before} to {after}.',
    '能力类型由 {before} 变为 {after}。',
  ),
  'auth.type_changed': breaking(
    'The way to authenticate changed from {before} to {after}.',
    '认证方式由 {before} 变为 {after}。',
  ),
  'auth.changed': silent('The details of authentication changed.', '认证细节已改变。'),
  'access.narrowed': breaking('Access was narrowed from {before} to {after}.', '访问范围由 {before} 收窄为 {after}。'),
  'access.widened': silent('Access was widened from {before} to {after}.', '访问范围由 {before} 放宽为 {after}。'),
  'endpoint.changed': silent('The endpoint changed: {field}.', '调用端点已改变：{field}。'),
  'input.required_added': breaking('The required input "{input}" was added.', '新增了必填输入参数“{input}”。'),
  'input.added': silent('The optional input "{input}" was added.', '新增了可选输入参数“{input}”。'),
  'input.removed': breaking('The input "{input}" was removed.', '输入参数“{input}”已移除。'),
  'input.now_required': breaking('The input "{input}" is required now.', '输入参数“{input}”变为必填。'),
  'input.now_optional': silent('The input "{input}" is optional now.', '输入参数“{input}”变为可选。'),
  'input.narrowed': breaking(
    'The input "{input}" no longer accepts everything it did.',
    '输入参数“{input}”不再接受以前允许的某些值。',
  ),
  'input.undecided': breaking(
    'It could not be shown that the input "{input}" still accepts everything it did.',
    '无法证明输入参数“{input}”仍接受以前允许的所有值。',
  ),
  'input.widened': silent('The input "{input}" accepts more than before.', '输入参数“{input}”接受的值比以前更多。'),
  'input.default_changed': silent('The default of the input "{input}" changed.', '输入参数“{input}”的默认值已改变。'),
  'output.content_type_changed': breaking(
    'The output is {after} now, no longer {before}.',
    '输出类型由 {before} 变为 {after}。',
  ),
  'output.property_removed': breaking(
    'The output no longer promises the property "{property}".',
    '输出不再保证属性“{property}”。',
  ),
  'output.type_changed': breaking('A type in the output changed.', '输出中的某个类型已改变。'),
  'output.widened': breaking(
    'The output may be something that the old version ruled out.',
    '输出可能出现旧版本排除的内容。',
  ),
  'output.undecided': breaking(
    'It could not be shown that the output keeps the promises of the old version.',
    '无法证明输出仍符合旧版本的约定。',
  ),
  'output.narrowed': silent('The output promises more than before.', '输出的约定比以前更严格。'),
  'text.changed': silent('A text changed: {field}.', '文本已改变：{field}。'),
  'extension.changed': silent('A field of the author changed: {field}.', '作者自定义字段已改变：{field}。'),
} as const satisfies Readonly<Record<string, ChangeText>>;

export type DescriptorChangeCode = keyof typeof CHANGE_TEXTS;
