import type { ClientProblem } from '@parley/client';
import { displayText } from '@parley/documents';
import { type LinkOptions, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { usePerson } from './use-person.ts';

interface ShownProblem {
  readonly text: string;
  /** Where something can be done about it. */
  readonly place?: LinkOptions | undefined;
  /** Nothing works until it is solved, so it cannot be dismissed. */
  readonly stays?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const SETTINGS = linkOptions({ to: '/settings' });
const toAgent = (agentId: string) => linkOptions({ to: '/agents/$agentId', params: { agentId } });
const toConversation = (conversationId: string) =>
  linkOptions({ to: '/c/$conversationId', params: { conversationId } });

/** A problem in words, with the names of those it is about. */
export function useProblem(problem: ClientProblem): ShownProblem {
  const { t } = useTranslation('conversations');
  const device = useDevice();
  const relations = useReadable(device.relations);
  const conversations = useReadable(device.conversations.list);
  const personId = personOf(problem);
  const person = usePerson(personId === device.accountId ? undefined : personId);

  const nameOfAgent = (id: string) => relations.find(({ agentId }) => agentId === id)?.agentName ?? displayText(id);
  const titleOf = (id: string) =>
    conversations.find(({ conversationId }) => conversationId === id)?.title || t('untitled');
  const nameOfPerson = person?.name || displayText(personId ?? '', 60);
  const withPerson = person && toConversation(person.conversationId);

  switch (problem.kind) {
    case 'identity_changed': {
      const { kind, id } = problem.party;
      if (kind === 'account') return { text: t('problem.person_changed', { name: nameOfPerson }), place: withPerson };
      return { text: t('problem.identity_changed', { name: nameOfAgent(id) }), place: toAgent(id) };
    }
    case 'weaker_mode':
      return {
        text: t('problem.weaker_mode', { name: nameOfAgent(problem.agentId) }),
        place: toAgent(problem.agentId),
      };
    case 'manifest': {
      const { agentId } = problem;
      return {
        text: t(`problem.manifest.${problem.problem}`, { name: nameOfAgent(agentId) }),
        place: toAgent(agentId),
      };
    }
    case 'clock':
      return { text: t('problem.clock', { count: Math.round(Math.abs(problem.byMs) / DAY_MS) }) };
    case 'ledger': {
      const relation = relations.find(({ relationId }) => relationId === problem.relationId);
      const name = relation?.agentName ?? t('problem.someAgent');
      return { text: t('problem.ledger', { name }), place: relation && toAgent(relation.agentId) };
    }
    case 'device_list': {
      if (problem.accountId === device.accountId)
        return {
          text: t(`problem.own_list.${problem.problem}`),
          place: SETTINGS,
          stays: problem.problem === 'forked',
        };
      return { text: t(`problem.their_list.${problem.problem}`, { name: nameOfPerson }), place: withPerson };
    }
    case 'row': {
      if (problem.subject === 'conversation')
        return {
          text: t('problem.row.conversation', { name: titleOf(problem.id) }),
          place: toConversation(problem.id),
        };
      const relation = relations.find(({ relationId }) => relationId === problem.id);
      const name = relation?.agentName ?? t('problem.someAgent');
      return { text: t('problem.row.relation', { name }), place: relation && toAgent(relation.agentId) };
    }
    case 'withheld': {
      const { subject, id, device: by } = problem;
      if (subject === 'group') {
        return { text: t('problem.withheld.group', { device: by, name: titleOf(id) }), place: toConversation(id) };
      }
      if (subject === 'devices') {
        if (id === device.accountId) return { text: t('problem.withheld.own_list', { device: by }), place: SETTINGS };
        return { text: t('problem.withheld.their_list', { device: by, name: nameOfPerson }), place: withPerson };
      }
      const relation = relations.find(
        ({ relationId, agentId }) => (subject === 'ledger' ? relationId : agentId) === id,
      );
      const name = relation?.agentName ?? t('problem.someAgent');
      return { text: t('problem.withheld.agent', { device: by, name }), place: relation && toAgent(relation.agentId) };
    }
    case 'members': {
      const { conversationId, strangers } = problem;
      const text = t('problem.members', { count: strangers.length, name: titleOf(conversationId) });
      return { text, place: toConversation(conversationId) };
    }
    case 'undecryptable':
    case 'gone': {
      const { kind, conversationId } = problem;
      return { text: t(`problem.${kind}`, { name: titleOf(conversationId) }), place: toConversation(conversationId) };
    }
    case 'error':
      return { text: t('problem.error', { reason: explain(problem.error) }) };
  }
}

function personOf(problem: ClientProblem): string | undefined {
  if (problem.kind === 'device_list') return problem.accountId;
  if (problem.kind === 'withheld') return problem.subject === 'devices' ? problem.id : undefined;
  return problem.kind === 'identity_changed' && problem.party.kind === 'account' ? problem.party.id : undefined;
}
