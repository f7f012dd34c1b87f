import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { nameOf as contactName } from '../contacts/name.ts';
import { useFreshContacts } from '../contacts/use-contacts.ts';

export interface Invited {
  readonly kind: 'human' | 'agent';
  readonly id: string;
}

interface ChooseMembersProps {
  readonly chosen: readonly Invited[];
  readonly onChange: (chosen: readonly Invited[]) => void;
  /** The ids of the current members. */
  readonly without?: readonly string[];
}

/** Chooses among contacts (AC-5), and added agents that declare support for groups (CM-1). */
export function ChooseMembers({ chosen, onChange, without = [] }: ChooseMembersProps) {
  const { t } = useTranslation('conversations');
  const relations = useReadable(useDevice().relations);
  const people = useFreshContacts().contacts.filter(({ user_id }) => !without.includes(user_id));
  const agents = relations.filter(
    ({ status, flags, agentId }) =>
      status === 'active' && flags.includes('supports_group_chat') && !without.includes(agentId),
  );
  const has = (id: string) => chosen.some((member) => member.id === id);
  const toggle = (member: Invited) =>
    onChange(has(member.id) ? chosen.filter(({ id }) => id !== member.id) : [...chosen, member]);
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-1">
        <legend className="text-sm font-medium">{t('contactsForGroups')}</legend>
        {people.length === 0 && <p className="text-sm text-muted">{t('noContactsForGroups')}</p>}
        <div className="grid max-h-60 overflow-y-auto">
          {people.map((contact) => (
            <label key={contact.user_id} className="flex min-h-9 items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={has(contact.user_id)}
                onChange={() => toggle({ kind: 'human', id: contact.user_id })}
              />
              <bdi className="truncate">{contactName(contact, t('untitled'))}</bdi>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset className="grid gap-1">
        <legend className="text-sm font-medium">{t('agentsForGroups')}</legend>
        {agents.length === 0 && <p className="text-sm text-muted">{t('noAgentsForGroups')}</p>}
        {agents.map(({ agentId, agentName }) => (
          <label key={agentId} className="flex min-h-9 items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={has(agentId)}
              onChange={() => toggle({ kind: 'agent', id: agentId })}
            />
            <bdi>{agentName}</bdi>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
