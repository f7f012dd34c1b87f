import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { readPersonLink } from './person-link.ts';

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

/** Adds people by their link, and added agents that declare support for groups (CM-1). */
export function ChooseMembers({ chosen, onChange, without = [] }: ChooseMembersProps) {
  const { t } = useTranslation('conversations');
  const relations = useReadable(useDevice().relations);
  const agents = relations.filter(
    ({ status, flags, agentId }) =>
      status === 'active' && flags.includes('supports_group_chat') && !without.includes(agentId),
  );
  const has = (id: string) => chosen.some((member) => member.id === id);
  const toggle = (member: Invited) =>
    onChange(has(member.id) ? chosen.filter(({ id }) => id !== member.id) : [...chosen, member]);
  return (
    <div className="grid gap-3">
      <ByLink onAdd={(id) => !has(id) && !without.includes(id) && toggle({ kind: 'human', id })} />
      {chosen.some(({ kind }) => kind === 'human') && (
        <ul className="grid gap-1">
          {chosen
            .filter(({ kind }) => kind === 'human')
            .map((member) => (
              <li key={member.id} className="flex items-center gap-2 text-sm">
                <code className="min-w-0 flex-1 truncate font-mono text-xs">{member.id}</code>
                <Button size="small" variant="quiet" onClick={() => toggle(member)}>
                  {t('remove')}
                </Button>
              </li>
            ))}
        </ul>
      )}
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

function ByLink({ onAdd }: { readonly onAdd: (id: string) => void }) {
  const { t } = useTranslation('conversations');
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const add = (event?: FormEvent) => {
    event?.preventDefault();
    const id = readPersonLink(text);
    setWrong(id === undefined);
    if (id === undefined) return;
    onAdd(id);
    setText('');
  };
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={t('person')}
          error={isWrong ? t('personWrong') : undefined}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && add(event)}
          autoComplete="off"
        />
      </div>
      <Button onClick={() => add()} disabled={text.trim() === ''}>
        {t('addPerson')}
      </Button>
    </div>
  );
}
