import type { DenialView, QuestionStopView, RelationView, WindowView } from '@parley/client';
import { displayName } from '../../display.ts';
import type { ChatContext } from './chat-context.ts';
import { dayOf } from './clock.ts';
import { tellConfirmations } from './confirmations.ts';

/**
 * Lists everything that can be revoked, in this order: grants of the agent, silent windows, “always deny” rules, “stop
 * asking for an hour”.
 */
export function formatPermissions(relation: RelationView, chat: ChatContext): string {
  const { words, paint } = chat;
  const { windows, denials, questionStops } = rememberedOf(relation, chat);
  const scopes = relation.scopes.map(({ id, label, level, granted, pending, unsigned }, at) => {
    const state = pending ? 'pending' : unsigned ? 'unsigned' : granted ? 'granted' : 'off';
    const style = { pending: 'yellow', unsigned: 'yellow', granted: 'green', off: 'dim' } as const;
    const mark = paint(style[state], words.say(`chat.permissions.${state}`));
    return `  ${at + 1}  ${label} (${id}, ${words.say(`chat.sensitivity.${level}`)})  ${mark}`;
  });
  const silent = windows.map(({ tool, scope, endsAt, reach, edge = '' }, at) => {
    const covers = words.say(`chat.permissions.covers.${reach}`, { edge });
    const params = { tool: displayName(tool), scope: displayName(scope), time: dayOf(endsAt), covers };
    return `  w${at + 1}  ${words.say('chat.permissions.window', params)}`;
  });
  const stops = questionStops.map(({ until }, at) => {
    return `  s${at + 1}  ${words.say('chat.permissions.stop', { time: dayOf(until) })}`;
  });
  const rules = denials.map(({ toolName }, at) => {
    return `  r${at + 1}  ${words.say('chat.permissions.rule', { tool: displayName(toolName) })}`;
  });
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [paint('bold', title), ...lines];
  return [
    paint('bold', words.say('chat.permissions.title', { agent: relation.agentName })),
    ...(scopes.length === 0 ? [words.say('chat.permissions.none')] : scopes),
    ...part(words.say('chat.permissions.windows'), silent),
    ...part(words.say('chat.permissions.rules'), rules),
    ...part(words.say('chat.permissions.stops'), stops),
    paint('dim', words.say('chat.permissions.how')),
  ].join('\n');
}

interface RememberedHere {
  readonly windows: readonly WindowView[];
  readonly denials: readonly DenialView[];
  readonly questionStops: readonly QuestionStopView[];
}

function rememberedOf({ agentId, conversationId }: RelationView, { device }: ChatContext): RememberedHere {
  const { windows, denials, questionStops } = device.remembered.getSnapshot();
  return {
    windows: windows.filter((window) => window.conversationId === conversationId),
    denials: denials.filter((denial) => denial.agentId === agentId),
    questionStops: questionStops.filter((stop) => stop.agentId === agentId && stop.until > Date.now()),
  };
}

/** Takes the numbers of the list (`2`, `w1`, `r1`, `s1`) or the name of a scope. */
export async function revoke(what: string, relation: RelationView, chat: ChatContext): Promise<void> {
  const { device, screen, words, paint } = chat;
  const { windows, denials, questionStops } = rememberedOf(relation, chat);
  const [, kind = '', digits = ''] = /^([wrs]?)(\d+)$/.exec(what) ?? [];
  const at = Number(digits) - 1;
  const scope = findScope(what, relation);
  const window = kind === 'w' ? windows[at] : undefined;
  const denial = kind === 'r' ? denials[at] : undefined;
  const stop = kind === 's' ? questionStops[at] : undefined;
  if (window !== undefined) await device.remembered.closeWindow(window);
  else if (denial !== undefined) await device.remembered.removeDenial(denial);
  else if (stop !== undefined) await device.remembered.askAgain(stop);
  else if (scope?.granted || scope?.pending) await device.relations.revokeScope(relation.relationId, scope.id);
  else return screen.print(words.say('chat.permissions.unknown'));
  screen.print(`${paint('green', '✓')} ${words.say('chat.permissions.revoked')}`);
  if (window === undefined && denial === undefined) await tellConfirmations(relation.relationId, chat);
}

/** Granting more binds the consent to the current manifest, which is shown. */
export async function grant(what: string, relation: RelationView, chat: ChatContext): Promise<void> {
  const { device, screen, words, paint } = chat;
  const scope = findScope(what, relation);
  if (scope === undefined || scope.granted) return screen.print(words.say('chat.permissions.unknown'));
  const { manifestHash } = await device.agents.inspect({ agentId: relation.agentId });
  if (manifestHash === null) return screen.print(words.say('chat.consent.no_manifest'));
  const granted = relation.scopes.filter((one) => one.granted).map(({ id }) => id);
  await device.relations.change(relation.relationId, [...granted, scope.id], manifestHash);
  screen.print(`${paint('green', '✓')} ${words.say('chat.permissions.added', { label: scope.label })}`);
}

function findScope(what: string, { scopes }: RelationView) {
  return /^\d+$/.test(what) ? scopes[Number(what) - 1] : scopes.find(({ id }) => id === what);
}
