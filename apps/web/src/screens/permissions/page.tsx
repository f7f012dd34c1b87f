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
import { useAction } from '../../parts/use-action.ts';
import { Page } from '../../shell/page.tsx';
import { RememberedAnswers } from './remembered-answers.tsx';

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
  const groups = groupBy(grants, ({ relation, scope }) => (by === 'agent' ? relation.agentName : scope.label));
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
        {grants.length === 0 && (
          <Empty icon={<ShieldOff aria-hidden className="size-10" />} title={t('none')}>
            {t('noneLead')}
          </Empty>
        )}
        {[...groups].map(([name, members]) => (
          <Card key={name} flush>
            <h2 className="border-b px-5 py-3 font-semibold">
              <bdi>{name}</bdi>
            </h2>
            <ul className="divide-y">
              {members.map((grant) => (
                <li key={`${grant.relation.relationId} ${grant.scope.id}`}>
                  <Row grant={grant} title={by === 'agent' ? grant.scope.label : grant.relation.agentName} />
                </li>
              ))}
            </ul>
          </Card>
        ))}
        <RememberedAnswers />
      </div>
    </Page>
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
  const { relations } = useDevice();
  const revoke = useAction(() => relations.revokeScope(relation.relationId, scope.id));
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
        {revoke.error !== undefined && <Notice tone="error">{explain(revoke.error)}</Notice>}
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
          busy={revoke.busy}
          onClick={() => revoke.run()}
          aria-label={t('revokeLabel', { scope: scope.label, agent: relation.agentName })}
        >
          {t('revoke')}
        </Button>
      )}
    </div>
  );
}
