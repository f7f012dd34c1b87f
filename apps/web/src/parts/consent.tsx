import type { ConsentPreview, PreviewScope, PreviewTool } from '@parley/documents';
import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { FetchNote } from './fetch-note.tsx';
import { Tag } from './level.tsx';
import { ScopeIcon } from './scope-icon.tsx';
import { Switch } from './switch.tsx';

interface ConsentProps {
  readonly preview: ConsentPreview;
  /** The ids of the scopes that are switched on. */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

const FRAMES = { low: 'border-low/30', medium: 'border-medium/40', high: 'border-high/50' } as const;
const HEADS = {
  low: 'bg-low-soft text-low',
  medium: 'bg-medium-soft text-medium',
  high: 'bg-high-soft text-high',
} as const;

/** Lets the person select among the scopes that an agent wants. Nothing is granted by a switch alone (WC-51). */
export function Consent({ preview, chosen, onChange }: ConsentProps) {
  const toggle = ({ id }: PreviewScope, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return <ScopeSwitches preview={preview} on={chosen} onToggle={toggle} />;
}

interface ScopeSwitchesProps {
  readonly preview: ConsentPreview;
  readonly on: ReadonlySet<string>;
  /** Those that are being switched. */
  readonly busy?: ReadonlySet<string>;
  /** What is off cannot be switched on now. */
  readonly isOffLocked?: boolean;
  readonly onToggle: (scope: PreviewScope, on: boolean) => void;
}

/** Lists the scopes that an agent wants, the most sensitive first, each with a switch (DESIGN 7). */
export function ScopeSwitches({ preview, on, busy, isOffLocked = false, onToggle }: ScopeSwitchesProps) {
  return (
    <div className="grid gap-4">
      {preview.groups.map((group) => (
        <section
          key={group.sensitivity}
          aria-label={group.label}
          className={`overflow-hidden rounded-card border ${FRAMES[group.sensitivity]}`}
        >
          <header className={`px-4 py-2.5 text-sm ${HEADS[group.sensitivity]}`}>
            <h3 className="font-semibold">{group.label}</h3>
            <p className="first-letter:uppercase">{group.behaviour}</p>
          </header>
          <ul className="divide-y bg-surface">
            {group.scopes.map((scope) => (
              <li key={scope.id}>
                <Scope
                  scope={scope}
                  on={on.has(scope.id)}
                  busy={busy?.has(scope.id) === true}
                  disabled={on.has(scope.id) ? scope.required : isOffLocked}
                  onToggle={(next) => onToggle(scope, next)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface ScopeProps {
  readonly scope: PreviewScope;
  readonly on: boolean;
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly onToggle: (on: boolean) => void;
}

function Scope({ scope, on, busy, disabled, onToggle }: ScopeProps) {
  const { t } = useTranslation('parts');
  return (
    <Collapsible.Root>
      <div className="flex items-start gap-3 px-4 py-3">
        <ScopeIcon name={scope.icon} className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium break-words">
            <bdi>{scope.label}</bdi>
            {scope.required && <Tag>{t('required')}</Tag>}
          </p>
          {scope.description && <p className="text-sm text-muted">{scope.description}</p>}
          <FetchNote scope={scope.id} />
          {scope.warnings.map((warning) => (
            <p key={warning} className="text-sm text-medium">
              {warning}
            </p>
          ))}
          {scope.tools.length > 0 && (
            <Collapsible.Trigger className="group mt-1 inline-flex min-h-6 items-center gap-1 rounded text-sm text-accent">
              <ChevronRight aria-hidden className="size-4 transition group-data-[state=open]:rotate-90" />
              {t('tools', { count: scope.tools.length })}
            </Collapsible.Trigger>
          )}
        </div>
        <Switch checked={on} busy={busy} disabled={disabled} onChange={onToggle} label={scope.label} />
      </div>
      <Collapsible.Content>
        <ul className="grid gap-3 border-t bg-page px-4 py-3">
          {scope.tools.map((tool) => (
            <li key={tool.name}>
              <ToolLine tool={tool} />
            </li>
          ))}
        </ul>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

function ToolLine({ tool }: { readonly tool: PreviewTool }) {
  const { t } = useTranslation('parts');
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <code className="font-mono text-xs text-muted">{tool.name}</code>
        {tool.required && <Tag>{t('required')}</Tag>}
      </p>
      <p className="break-words">{tool.description}</p>
      {tool.parameters.length > 0 && (
        <ul className="mt-1 flex flex-wrap gap-1.5">
          {tool.parameters.map((parameter) => (
            <li key={parameter.name} className="rounded bg-raised px-1.5 py-0.5 font-mono text-xs">
              <bdi>{parameter.name}</bdi>
              {parameter.required ? '' : '?'}: {parameter.type}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
