import type { Locale } from '@parley/base';
import type { EdgeType, FileAction, RiskLevel } from './types.ts';

interface PreviewTexts {
  readonly headline: string;
  readonly risks: Readonly<Record<RiskLevel, string>>;
  readonly risk: string;
  readonly about: string;
  readonly missing: string;
  readonly members: string;
  readonly entry: string;
  readonly never: string;
  readonly uses: string;
  readonly capabilities: string;
  readonly can: string;
  readonly runsOn: string;
  readonly from: string;
  readonly permissions: string;
  readonly noPermissions: string;
  readonly permission: string;
  readonly routes: string;
  readonly noTeams: string;
  readonly team: string;
  readonly teamMembers: string;
  readonly topology: string;
  readonly concurrency: string;
  readonly edges: Readonly<Record<EdgeType, string>>;
  readonly condition: string;
  readonly priority: string;
  readonly fallbacks: string;
  readonly degradation: string;
  readonly escalation: string;
  readonly escalationWhen: string;
  readonly noEscalation: string;
  readonly unreachable: string;
  readonly termination: string;
  readonly files: string;
  readonly actions: Readonly<Record<FileAction, string>>;
  readonly plan: string;
  readonly comma: string;
}

export const PREVIEW_TEXTS: Readonly<Record<Locale, PreviewTexts>> = {
  en: {
    headline: '{name} {version} (roles: {roles}, kits: {kits}, teams: {teams}), risk {risk}',
    risks: { low: 'low', medium: 'medium', high: 'high', critical: 'critical' },
    risk: 'Risk: {risk}',
    about: 'About: {text}',
    missing: 'Missing',
    members: 'Roles',
    entry: 'work starts here',
    never: 'Boundary: {text}',
    uses: 'Uses: {kits}',
    capabilities: 'Kits',
    can: 'Can: {capabilities}',
    runsOn: 'Runs on: {runtime}',
    from: 'Comes from: {source}, {digest}',
    permissions: 'Permissions',
    noPermissions: 'None.',
    permission: '{type}, {mode}: {target} (kit {kit})',
    routes: 'Routes',
    noTeams: 'No team; {entry} works alone.',
    team: '{label} ({id}), starting with {entry}',
    teamMembers: 'Members: {members}',
    topology: 'Topology: {topology}',
    concurrency: 'Concurrency: {concurrency}',
    edges: {
      dispatch: 'dispatches to',
      sequential: 'then',
      parallel: 'at the same time',
      conditional: 'if',
      fallback: 'if it fails',
      'kit-attach': 'uses',
    },
    condition: 'condition: {condition}',
    priority: 'priority {priority}',
    fallbacks: 'If {source} fails, in this order: {targets}',
    degradation: 'When something fails: {rules}',
    escalation: 'Tries before a person is asked: {count}',
    escalationWhen: 'A person is asked when: {condition}',
    noEscalation: 'No person is asked.',
    unreachable: 'Nobody hands over to: {ids}',
    termination: 'Done when: {rules}',
    files: 'Files',
    actions: { create: 'new', modify: 'changed', remove: 'removed' },
    plan: 'Plan: {digest}',
    comma: ', ',
  },
  'zh-CN': {
    headline: '{name} {version}：{roles} 个角色、{kits} 个能力包、{teams} 个团队；风险{risk}',
    risks: { low: '低', medium: '中', high: '高', critical: '严重' },
    risk: '风险：{risk}',
    about: '说明：{text}',
    missing: '尚缺',
    members: '角色',
    entry: '工作从这里开始',
    never: '边界：{text}',
    uses: '使用：{kits}',
    capabilities: '能力包',
    can: '能力：{capabilities}',
    runsOn: '运行环境：{runtime}',
    from: '来源：{source}，{digest}',
    permissions: '权限',
    noPermissions: '无。',
    permission: '{type}，{mode}：{target}（能力包 {kit}）',
    routes: '路由',
    noTeams: '没有团队，由 {entry} 独立工作。',
    team: '{label}（{id}），从 {entry} 开始',
    teamMembers: '成员：{members}',
    topology: '拓扑：{topology}',
    concurrency: '并发：{concurrency}',
    edges: {
      dispatch: '分派给',
      sequential: '随后',
      parallel: '同时',
      conditional: '如果',
      fallback: '失败时',
      'kit-attach': '使用',
    },
    condition: '条件：{condition}',
    priority: '优先级 {priority}',
    fallbacks: '{source} 失败时依次尝试：{targets}',
    degradation: '出错时：{rules}',
    escalation: '尝试 {count} 次后询问人。',
    escalationWhen: '满足此条件时询问人：{condition}',
    noEscalation: '不会询问人。',
    unreachable: '没有角色交接给：{ids}',
    termination: '完成条件：{rules}',
    files: '文件',
    actions: { create: '新建', modify: '修改', remove: '删除' },
    plan: '计划：{digest}',
    comma: '、',
  },
};
