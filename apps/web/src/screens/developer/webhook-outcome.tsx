import type { ReplyOf, webhookRoutes } from '@parley/protocol';
import { useTranslation } from 'react-i18next';
import { sentenceSpace } from '../../i18n/index.ts';
import { longTime } from '../../i18n/time.ts';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { classifyAttempt } from './attempt.ts';
import { joinFacts } from './join-facts.ts';

type Hook = ReplyOf<typeof webhookRoutes.getWebhook>;

/** It answers if it did, and not because nobody has found out yet (WC-60). */
function judgeWebhook({ failing = null, unreachable_since, last_answered_at = null }: Hook) {
  if (failing !== null || unreachable_since !== null) return 'failing';
  return last_answered_at === null ? 'untried' : 'answers';
}

const TONES = { failing: 'bad', untried: 'plain', answers: 'good' } as const;

export function WebhookState({ hook }: { readonly hook: Hook }) {
  const { t } = useTranslation('developer');
  const state = judgeWebhook(hook);
  return <Tag tone={TONES[state]}>{t(`outcome.${state}`)}</Tag>;
}

/** Says how the last attempts ended, and what to do about it. */
export function WebhookOutcome({ hook }: { readonly hook: Hook }) {
  const { t } = useTranslation('developer');
  const { failing = null, unreachable_since: unreachable, last_answered_at: answered = null } = hook;
  const { last_ping: ping = null } = hook;
  const since = failing?.since ?? unreachable;
  const attempt = failing === null ? undefined : classifyAttempt(failing);
  return (
    <div className="grid gap-3">
      {since !== null && (
        <Notice
          tone="error"
          title={t(failing?.status == null ? 'outcome.since' : 'outcome.refusing', { time: longTime(since) })}
        >
          {attempt !== undefined && (
            <p>
              {t(`attempt.${attempt}.what`, { status: failing?.status })}
              {sentenceSpace()}
              {t(`attempt.${attempt}.todo`)}
            </p>
          )}
          <p>{t('outcome.then')}</p>
        </Notice>
      )}
      <div role="status">
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[max-content_1fr]">
          <dt className="text-muted">{t('outcome.lastTaken')}</dt>
          <dd className="min-w-0 break-words">{answered === null ? t('outcome.never') : longTime(answered)}</dd>
          <dt className="text-muted">{t('outcome.lastPing')}</dt>
          <dd className="min-w-0 break-words">{ping === null ? t('outcome.noPing') : <Ping ping={ping} />}</dd>
        </dl>
      </div>
    </div>
  );
}

function Ping({ ping }: { readonly ping: NonNullable<Hook['last_ping']> }) {
  const { t } = useTranslation('developer');
  const {
    status,
    attempts,
    last_status,
    last_error,
    created_at: sent,
    delivered_at: delivered,
    next_attempt_at,
  } = ping;
  if (status === 'delivered') return t('outcome.pingAnswered', { time: longTime(delivered ?? sent) });
  if (attempts === 0 && status === 'pending') return t('outcome.pingOnItsWay', { time: longTime(sent) });
  const what = t(`attempt.${classifyAttempt({ status: last_status, error: last_error })}.what`, {
    status: last_status,
  });
  const next = next_attempt_at !== null && t('nextAttempt', { time: longTime(next_attempt_at) });
  return joinFacts([t('outcome.pingFailed', { time: longTime(sent) }), what, next]);
}
