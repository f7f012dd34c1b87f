import type { SkillDescriptor } from '@parley/documents/skill';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../parts/code-block.tsx';
import { curlExample, typescriptExample } from './examples.ts';

/** Shows how to call the skill from other programs. The examples contain no secret. */
export function CodeExamples({ descriptor }: { readonly descriptor: SkillDescriptor }) {
  const { t } = useTranslation('skills');
  const url = `${location.origin}/skills/${encodeURIComponent(descriptor.id)}/versions/${encodeURIComponent(descriptor.version)}`;
  return (
    <div className="grid grid-cols-1 gap-4">
      {descriptor.auth.type !== 'none' && <p className="text-sm text-muted">{t('callLead')}</p>}
      <CodeBlock label={t('typescript')} text={typescriptExample(descriptor, url)} />
      <CodeBlock label={t('curl')} text={curlExample(descriptor)} />
    </div>
  );
}
