import { useTranslation } from 'react-i18next';
import { Card } from '../../parts/card.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { COMMANDS, PROGRAM, writeSettings } from './snippet.ts';

/** A program that runs as it stands, once the token is in its settings (WC-64). */
export function Connect({ agentId }: { readonly agentId: string }) {
  const { t } = useTranslation('developer');
  const settings = writeSettings({ url: location.origin, agentId });
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div>
        <h2 className="text-lg font-semibold">{t('makers.connect')}</h2>
        <p className="text-sm text-muted">{t('makers.connectLead')}</p>
      </div>
      <CodeBlock label={t('makers.connectSettings')} text={settings} />
      <CodeBlock label={t('makers.connectProgram')} text={PROGRAM} />
      <CodeBlock label={t('makers.connectCommands')} text={COMMANDS} />
      <p className="text-sm text-muted">{t('makers.connectWebhook')}</p>
    </Card>
  );
}
