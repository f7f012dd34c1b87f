import type { SkillReply } from '@parley/client';
import { displayText, type Json } from '@parley/documents';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Notice } from '../../parts/notice.tsx';
import { saveText } from '../../parts/save-text.ts';
import { Steps } from './steps.tsx';

export type Result = SkillReply & { readonly ms: number };

/** Shows the result. All of its text is untrusted. */
export function ResultView({ result, name }: { readonly result: Result; readonly name: string }) {
  const { t } = useTranslation('skills');
  const { ok, output, output_base64: bytes, execution_id: execution, error, events, ms } = result;
  return (
    <Card className="grid grid-cols-1 gap-4">
      <h2 className="text-lg font-semibold">{t('result')}</h2>
      {ok && <Notice tone="success">{t('resultOk', { seconds: (ms / 1_000).toFixed(ms < 1_000 ? 2 : 1) })}</Notice>}
      {error !== undefined && <Failed error={error} />}
      {ok && output !== undefined && <JsonView value={output as Json} />}
      {bytes !== undefined && <p className="text-sm">{t('bytes', { count: Math.floor((bytes.length * 3) / 4) })}</p>}
      {ok && output !== undefined && (
        <div>
          <Button
            size="small"
            icon={<Download aria-hidden className="size-4" />}
            onClick={() => saveText(`${name}.json`, JSON.stringify(output, null, 2), 'application/json')}
          >
            {t('save')}
          </Button>
        </div>
      )}
      {execution !== undefined && (
        <p className="text-sm break-all text-muted">{t('execution', { id: displayText(execution, 200) })}</p>
      )}
      <Steps events={events} />
    </Card>
  );
}

function Failed({ error }: { readonly error: NonNullable<Result['error']> }) {
  const { t } = useTranslation('skills');
  const { provider_message: said, violations } = error.details;
  return (
    <Notice tone="error" title={t('resultFailed')}>
      <p>{displayText(error.message, 600)}</p>
      {typeof said === 'string' && <p>{t('providerSays', { message: displayText(said, 600) })}</p>}
      {Array.isArray(violations) && (
        <ul className="list-disc pl-4">
          {violations.slice(0, 50).map((violation: { field?: unknown; message?: unknown }) => (
            <li key={`${String(violation?.field)} ${String(violation?.message)}`}>
              {t('violation', {
                field: displayText(String(violation?.field ?? ''), 100),
                message: displayText(String(violation?.message ?? ''), 300),
              })}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
