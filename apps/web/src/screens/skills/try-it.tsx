import { displayText, type Json } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import { type BodyOf, type ReplyOf, skillRoutes } from '@parley/protocol';
import { Play } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { hostOf } from './about.tsx';
import { CredentialFields, type Given, readCredentials } from './credential-fields.tsx';
import { checkInputs, type FieldProblem, readForm, startForm } from './form.ts';
import { InputField } from './input-field.tsx';
import { Outcome } from './outcome.tsx';

type Body = BodyOf<typeof skillRoutes.invokeSkill>;
type Result = ReplyOf<typeof skillRoutes.invokeSkill> & { readonly ms: number };

/** A form made of the inputs (SD-3); the call goes through the server, which guards it (SI-6). */
export function TryIt({ descriptor }: { readonly descriptor: SkillDescriptor }) {
  const { t } = useTranslation('skills');
  const { inputs: fields, auth, endpoint } = descriptor;
  const [entered, enter] = useState(() => startForm(fields));
  const [problems, setProblems] = useState<ReadonlyMap<string, FieldProblem>>(new Map());
  const [violations, setViolations] = useState<readonly string[]>([]);
  const [given, give] = useState<Given>({});
  const call = useCall(descriptor);
  const change = (name: string, value: string | undefined) => {
    const next = new Map(entered);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    enter(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readForm(fields, entered);
    const found = read.problems.size > 0 ? [] : checkInputs(fields, read.inputs);
    const credentials = readCredentials(auth, given);
    setProblems(read.problems);
    setViolations(found);
    if (read.problems.size > 0 || found.length > 0 || credentials === 'wrong') return;
    call.start({ inputs: read.inputs as Record<string, Json>, ...(credentials === undefined ? {} : { credentials }) });
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
          {auth.type !== 'none' && (
            <CredentialFields auth={auth} host={displayText(hostOf(endpoint.url))} given={given} onChange={give} />
          )}
          {violations.length > 0 && (
            <Notice tone="error">
              <ul className="list-disc pl-4">
                {violations.map((violation) => (
                  <li key={violation}>{violation}</li>
                ))}
              </ul>
            </Notice>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <Button
              type="submit"
              look="primary"
              busy={call.state === 'running'}
              icon={<Play aria-hidden className="size-4" />}
            >
              {t('run')}
            </Button>
            {call.state === 'running' && (
              <>
                <Elapsed />
                <Button size="small" onClick={call.stop}>
                  {t('cancel')}
                </Button>
              </>
            )}
          </div>
        </form>
      </Card>
      {call.error !== undefined && <Notice tone="error">{explain(call.error)}</Notice>}
      {call.result !== undefined && <Outcome result={call.result} name={descriptor.id} />}
    </div>
  );
}

/** One call at a time; who leaves the page stops waiting for it. */
function useCall({ id, version }: SkillDescriptor) {
  const api = useApi();
  const [state, setState] = useState<{ state: 'idle' | 'running'; error?: unknown; result?: Result }>({
    state: 'idle',
  });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = (body: Omit<Body, 'version'>) => {
    const controller = new AbortController();
    const began = performance.now();
    running.current = controller;
    setState({ state: 'running' });
    api(skillRoutes.invokeSkill, {
      params: { skill_id: id },
      body: { ...body, version },
      signal: controller.signal,
    }).then(
      (result) => setState({ state: 'idle', result: { ...result, ms: performance.now() - began } }),
      (error: unknown) => setState(controller.signal.aborted ? { state: 'idle' } : { state: 'idle', error }),
    );
  };
  return { ...state, start, stop: () => running.current?.abort() };
}

function Elapsed() {
  const { t } = useTranslation('skills');
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span role="timer" className="text-sm text-muted tabular-nums">
      {t('running', { seconds })}
    </span>
  );
}
