import { type ChatMessage, explainResponse, findRemedy, type RelationView, type Remedy } from '@parley/client';
import { displayText } from '@parley/documents';
import type { ToolCall, ToolResponse } from '@parley/protocol';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../../client/explain.ts';
import { useDevice, useReadable } from '../../../client/provider.tsx';
import { currentLocale } from '../../../i18n/index.ts';
import { shortTime } from '../../../i18n/time.ts';
import { Button } from '../../../parts/button.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { useAction } from '../../../parts/use-action.ts';
import { Give } from './give.tsx';
import { type Ability, useAbility } from './use-ability.ts';
import { useWrite } from './use-write.ts';

const LINK =
  'inline-flex min-h-8 items-center rounded-lg border bg-surface px-3 text-sm font-medium hover:bg-raised pointer-coarse:min-h-11';

interface MendProps {
  readonly message: ChatMessage;
  readonly call: ToolCall;
  readonly response: ToolResponse;
  readonly relation: RelationView | undefined;
  readonly title: string;
}

/** What comes next after a call that was refused or failed: one sentence, and one button (WC-20). */
export function Mend({ message, call, response, relation, title }: MendProps) {
  const { remembered, relations } = useDevice();
  const known = useReadable(relations);
  const { denials, questionStops } = useReadable(remembered);
  const agentId = message.sender.id;
  const ability = useAbility(call, agentId);
  const now = useEndOf(questionStops.find((stop) => stop.agentId === agentId)?.until);
  const state = { relation, denials, questionStops, ability: ability.ability, now };
  const remedy = findRemedy({ call, response, agentId, conversationId: message.conversationId }, state);
  const name = useAgentName(message, relation);
  // One that its maker has deleted can neither be added nor asked again (WC-53).
  const isGone = relation === undefined && known.findLast((one) => one.agentId === agentId)?.endedBy === 'other';
  if (remedy === undefined || isGone) return null;
  return <Step {...{ remedy, name, title, response, relation, ability }} conversationId={message.conversationId} />;
}

/** The time, made new when this one has come. */
function useEndOf(until: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (until === undefined) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, until - Date.now()) + 100);
    return () => clearTimeout(timer);
  }, [until]);
  return now;
}

/** Of one that is not the person's own, only the title of the conversation is known, if it is alone in it. */
function useAgentName({ conversationId }: ChatMessage, relation: RelationView | undefined): string {
  const { t } = useTranslation('conversations');
  const list = useReadable(useDevice().conversations.list);
  if (relation !== undefined) return relation.agentName;
  const view = list.find((one) => one.conversationId === conversationId);
  return view?.kind === 'h2a' && view.title !== '' ? displayText(view.title, 80) : t('problem.someAgent');
}

interface StepProps {
  readonly remedy: Remedy;
  readonly name: string;
  readonly title: string;
  readonly response: ToolResponse;
  readonly relation: RelationView | undefined;
  readonly ability: Ability;
  readonly conversationId: string;
}

function Step({ remedy, name, title, response, relation, ability, conversationId }: StepProps) {
  const { t } = useTranslation('calls');
  const { remembered } = useDevice();
  const write = useWrite(conversationId);
  const say = (key: 'again' | 'report') =>
    write(t(`say.${key}`, { title, reason: explainResponse(response, currentLocale()) }));
  const again = (
    <Button size="small" onClick={() => say('again')}>
      {t('mend.again', { name })}
    </Button>
  );
  switch (remedy.kind) {
    case 'grant':
      return (
        <Row lead={t('mend.grantLead', { name })}>{relation && <Give relation={relation} scope={remedy.scope} />}</Row>
      );
    case 'review':
    case 'look':
    case 'add':
      return (
        <Row
          lead={t(response.reason === 'tool_not_supported_in_group' ? 'mend.addAloneLead' : `mend.${remedy.kind}Lead`, {
            name,
          })}
        >
          <Link to="/agents/$agentId" params={{ agentId: remedy.agentId }} className={LINK}>
            {t(response.reason === 'tool_not_supported_in_group' ? 'mend.addAlone' : `mend.${remedy.kind}`, { name })}
          </Link>
        </Row>
      );
    case 'talk_alone':
      return (
        <Row
          lead={t(response.reason === 'tool_not_supported_in_group' ? 'mend.aloneLead' : 'mend.movedLead', { name })}
        >
          <Link to="/c/$conversationId" params={{ conversationId: remedy.conversationId }} className={LINK}>
            {t('mend.alone', { name })}
          </Link>
        </Row>
      );
    case 'lift_denial':
      return <Act lead={t('mend.liftLead')} label={t('mend.lift')} work={() => remembered.removeDenial(remedy)} />;
    case 'lift_stop':
      return (
        <Act
          lead={t('mend.stopLead', { name, time: shortTime(new Date(remedy.until).toISOString()) })}
          label={t('mend.stop')}
          work={() => remembered.askAgain(remedy)}
        />
      );
    case 'allow_here':
      return <Act lead={t('mend.allowLead')} label={t(`mend.allowIn.${ability.permission!}`)} work={ability.request} />;
    case 'unblock_here':
      return <Unblock permission={ability.permission!} />;
    case 'other_device':
      return <Row lead={t('mend.otherDevice', { name })}>{again}</Row>;
    case 'ask_again':
      return <Row lead={t('mend.againLead', { name })}>{again}</Row>;
    case 'report':
      return (
        <Row lead={t('mend.reportLead', { name })}>
          <Button size="small" onClick={() => say('report')}>
            {t('mend.report', { name })}
          </Button>
        </Row>
      );
  }
}

function Row({ lead, children }: { readonly lead: string; readonly children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-muted">{lead}</p>
      {children}
    </div>
  );
}

interface ActProps {
  readonly lead: string;
  readonly label: string;
  readonly work: () => Promise<unknown>;
}

function Act({ lead, label, work }: ActProps) {
  const action = useAction(work);
  return (
    <Row lead={lead}>
      <Button size="small" busy={action.busy} onClick={() => action.run()}>
        {label}
      </Button>
      {action.error !== undefined && <Notice tone="error">{explain(action.error)}</Notice>}
    </Row>
  );
}

/** A page cannot take back what was set in the browser: it says where. */
function Unblock({ permission }: { readonly permission: NonNullable<Ability['permission']> }) {
  const { t } = useTranslation('calls');
  const [isOpen, setOpen] = useState(false);
  return (
    <Row lead={t(`mend.blockedIn.${permission}`)}>
      <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('mend.howTo')}
      </Button>
      {isOpen && (
        <ol className="list-decimal pl-5">
          <li>{t('mend.howToSteps.open')}</li>
          <li>{t(`mend.howToSteps.${permission}`)}</li>
          <li>{t('mend.howToSteps.back')}</li>
        </ol>
      )}
    </Row>
  );
}
