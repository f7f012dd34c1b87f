import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { t } = useTranslation('parts');
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), SHOWN_MS);
  };
  const Icon = done ? Check : Copy;
  return (
    <Button size="small" icon={<Icon aria-hidden className="size-4" />} onClick={() => void copy()}>
      <span aria-live="polite">{done ? t('copied') : (label ?? t('copy'))}</span>
    </Button>
  );
}
