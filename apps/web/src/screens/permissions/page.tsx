import type { RelationView, ScopeView } from '@parley/client';
import { displayText } from '@parley/documents';
import { Link } from '@tanstack/react-router';
import { ShieldOff } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, Empty, PageHead } from '../../parts/card.tsx';
import { Level, Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Unconfirmed } from '../../parts/unconfirmed.tsx';
import { Page } from '../../shell/page.tsx';
import { useSwitches } from '../agents/use-switches.ts';
import { type Remembered, RememberedAnswers, useRemembered } from './remembered-answers.tsx';

interface Grant {
  readonly relation: RelationView;
  readonly scope: ScopeView;
}

const TAB =
  'min-h-9 rounded-lg px-3 text-sm font-medium text-muted data-[state=on]:bg-accent-soft data-[state=on]:text-accent';

export function PermissionsPage() {
  const { t } = useTranslation('permissions');
  const [by, setBy] = useState<'agent' | 'scope'>('agent');
  const all = useReadable(useDevice().relations);
  const relations = all.filter(({ status }) => status !== 'ended');
  const grants = relations.flatMap((relation) =>
    relation.scopes.filter(isShown).map((scope): Grant => ({ relation, scope })),
  );
  const remembered = useRemembered();
  const { windows, denials, stops } = remembered;
  const isEmpty = grants.length + windows.length + denials.length + stops.length === 0;
  return (
    <Page>
      <PageHead
        title={t('title')}
        lead={t('lead')}
        actions={
          <ToggleGroup.Root
            type="single"
            value={by}
            onValueChange={(value) => value && setBy(value as typeof by)}
            aria-label={t('by')}
            className="flex gap-1 rounded-lg border bg-surface p-1"
          >
            <ToggleGroup.Item value="agent" className={TAB}>
              {t('byAgent')}
            </ToggleGroup.Item>
            <ToggleGroup.Item value="scope" className={TAB}>
              {t('byScope')}
            </ToggleGroup.Item>
          </ToggleGroup.Root>
        }
      />
      <div className="grid gap-6">
        {all.map(
          ({ relationId, agentName, unconfirmed }) =>
            unconfirmed.length > 0 && <Unconfirmed key={relationId} agent={agentName} devices={unconfirmed} />,
        )}
        {isEmpty && (
          <Empty icon={<ShieldOff aria-hidden className="size-10" />} title={t('none')}>
            {t('noneLead')}
          </Empty>
        )}
        {by === 'agent' ? (
          <ByAgent grants={grants} remembered={remembered} />
        ) : (
          <>
            {[...groupBy(grants, ({ scope }) => scope.label)].map(([label, members]) => (
              <Card key={label} flush>
                <Title name={label} />
                <Rows grants={members} by="scope" />
              </Card>
            ))}
            <RememberedAnswers remembered={remembered} />
          </>
        )}
      </div>
    </Page>
  );
}

interface ByAgentProps {
  readonly grants: readonly Grant[];
  readonly remembered: Remembered;
}

/** One card for each agent: what it may do, and what is remembered about it. */
function ByAgent({ grants, remembered: { windows, denials, stops } }: ByAgentProps) {
  const { t } = useTranslation('permissions');
  const names = new Map(
    [...grants.map(({ relation }) => relation), ...windows, ...denials, ...stops].map((one) => [
      one.agentId,
      one.agentName,
    ]),
  );
  return [...names].map(([agentId, name]) => {
    const isOf = (one: { readonly agentId: string }) => one.agentId === agentId;
    const own = grants.filter(({ relation }) => isOf(relation));
    return (
      <Card key={agentId} flush>
        <Title name={name} />
        {own.length === 0 ? (
          <p className="px-5 py-3 text-sm text-muted">{t('remembered.nothing')}</p>
        ) : (
          <Rows grants={own} by="agent" />
        )}
        <RememberedAnswers
          inCard
          remembered={{ windows: windows.filter(isOf), denials: denials.filter(isOf), stops: stops.filter(isOf) }}
        />
      </Card>
    );
  });
}

function Title({ name }: { readonly name: string }) {
  return (
    <h2 className="border-b px-5 py-3 font-semibold">
      <bdi>{name}</bdi>
    </h2>
  );
}

function Rows({ grants, by }: { readonly grants: readonly Grant[]; readonly by: 'agent' | 'scope' }) {
  return (
    <ul className="divide-y">
      {grants.map((grant) => (
        <li key={`${grant.relation.relationId} ${grant.scope.id}`}>
          <Row grant={grant} title={by === 'agent' ? grant.scope.label : grant.relation.agentName} />
        </li>
      ))}
    </ul>
  );
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const isShown = ({ granted, pending, unsigned }: ScopeView) => granted || pending || unsigned;

function Row({ grant: { relation, scope }, title }: { readonly grant: Grant; readonly title: string }) {
  const { t } = useTranslation('permissions');
  const { busy, failure, takeBack } = useSwitches(relation);
  return (
    <div className="flex flex-wrap items-center gap-3 px-5 py-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to="/agents/$agentId"
            params={{ agentId: relation.agentId }}
            title={t('open', { agent: relation.agentName })}
            className="font-medium hover:underline"
          >
            <bdi>{title}</bdi>
          </Link>
          <Level level={scope.level} />
          {scope.pending && <Tag>{t('waiting')}</Tag>}
          {scope.unsigned && <Tag>{t('unsigned')}</Tag>}
        </p>
        {scope.tools.length > 0 && (
          <p className="text-sm text-muted">{displayText(t('tools', { tools: scope.tools.join(', ') }), 200)}</p>
        )}
        {failure !== undefined && <Notice tone="error">{explain(failure)}</Notice>}
      </div>
      {scope.unsigned && (
        <Link
          to="/agents/$agentId"
          params={{ agentId: relation.agentId }}
          aria-label={t('confirmLabel', { scope: scope.label, agent: relation.agentName })}
          className="inline-flex min-h-8 items-center rounded-lg bg-accent px-3 text-sm font-medium text-on-accent pointer-coarse:min-h-11"
        >
          {t('confirm')}
        </Link>
      )}
      {scope.granted && (
        <Button
          size="small"
          variant="danger"
          busy={busy.has(scope.id)}
          onClick={() => void takeBack(scope, relation.manifestHash)}
          aria-label={t('revokeLabel', { scope: scope.label, agent: relation.agentName })}
        >
          {t('revoke')}
        </Button>
      )}
    </div>
  );
}
