import { displayText, type Json } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import { Play } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDraft } from '../../client/use-draft.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { hostOf } from './about.tsx';
import { CredentialFields, type Given, readCredentials } from './credential-fields.tsx';
import { checkInputs, type FieldProblem, readForm, readKept, startForm } from './form.ts';
import { InputField } from './input-field.tsx';
import { ResultView } from './result-view.tsx';
import { Running } from './running.tsx';
import { inSeconds } from './steps.tsx';
import { type Run, useRun } from './use-run.ts';

/** Builds a form from the inputs (SD-3). The call goes through the server, which guards it (SI-6). */
export function RunForm({ descriptor }: { readonly descriptor: SkillDescriptor }) {
  const { t } = useTranslation('skills');
  const { inputs: fields, auth, endpoint } = descriptor;
  const [kept, keep, settle] = useDraft(`skill/run/${descriptor.id}`);
  const [entered, enter] = useState(() => readKept(kept, fields) ?? startForm(fields));
  const [problems, setProblems] = useState<ReadonlyMap<string, FieldProblem>>(new Map());
  const [violations, setViolations] = useState<readonly string[]>([]);
  const [given, give] = useState<Given>({});
  const { run, start, stop } = useRun(descriptor);
  const isDone = run.state === 'done' && run.result.ok;
  const sent = useRef('');
  useEffect(() => {
    if (isDone) settle(sent.current);
  }, [isDone, settle]);
  const target = useFocusOn(run.state);
  const host = displayText(hostOf(endpoint.url));
  const change = (name: string, value: string | undefined) => {
    const next = new Map(entered);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    enter(next);
    // The credentials are never among them: they are in the form only.
    keep(JSON.stringify([...next]));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readForm(fields, entered);
    const found = read.problems.size > 0 ? [] : checkInputs(fields, read.inputs);
    const credentials = readCredentials(auth, given);
    setProblems(read.problems);
    setViolations(found);
    if (read.problems.size > 0 || found.length > 0 || credentials === 'wrong') return;
    sent.current = kept;
    start({ inputs: read.inputs as Record<string, Json>, ...(credentials === undefined ? {} : { credentials }) });
  };
  return (
    <div className="grid grid-cols-1 gap-6">
      <Notice>{t('tryLead')}</Notice>
      <Card>
        <form onSubmit={submit} className="grid gap-5" noValidate>
          {fields.length === 0 && <p className="text-muted">{t('inputsNone')}</p>}
          {fields.map((field) => (
            <InputField
              key={field.name}
              field={field}
              value={entered.get(field.name)}
              problem={problems.get(field.name)}
              onChange={(value) => change(field.name, value)}
            />
          ))}
          {auth.type !== 'none' && <CredentialFields auth={auth} host={host} given={given} onChange={give} />}
          {violations.length > 0 && (
            <Notice tone="error">
              <ul className="list-disc pl-4">
                {violations.map((violation) => (
                  <li key={violation}>{violation}</li>
                ))}
              </ul>
            </Notice>
          )}
          <div>
            <Button
              type="submit"
              variant="primary"
              busy={run.state === 'running'}
              icon={<Play aria-hidden className="size-4" />}
            >
              {t('run')}
            </Button>
          </div>
        </form>
      </Card>
      <div ref={target} tabIndex={-1} className="outline-none empty:hidden">
        {run.state === 'running' && <Running progress={run.progress} began={run.began} host={host} onCancel={stop} />}
        {run.state === 'done' && <ResultView result={run.result} name={descriptor.id} />}
        {run.state === 'stopped' && <Notice>{t('stopped', { seconds: inSeconds(run.ms) })}</Notice>}
        {run.state === 'failed' && <Notice tone="error">{explain(run.error)}</Notice>}
        {hasFailed(run) && <p className="mt-3 text-sm">{t(auth.type === 'none' ? 'makers.next' : 'makers.nextKey')}</p>}
      </div>
    </div>
  );
}

const hasFailed = (run: Run) => run.state === 'failed' || (run.state === 'done' && !run.result.ok);

/** The pressed button is gone or disabled, so the focus moves to the result. */
function useFocusOn(state: Run['state']) {
  const target = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state === 'running' || (state !== 'idle' && document.activeElement === document.body)) target.current?.focus();
  }, [state]);
  return target;
}
