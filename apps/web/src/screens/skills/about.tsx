import { canonicalise, displayText, type Json, type JsonObject } from '@parley/documents';
import {
  type AuthParameter,
  ENDPOINT_DEFAULTS,
  hasDefault,
  type SkillAuth,
  type SkillDescriptor,
  type SkillInput,
} from '@parley/documents/skill';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../parts/card.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Tag } from '../../parts/level.tsx';
import { Publisher, type PublisherProps } from '../../parts/publisher.tsx';
import { WideContent } from '../../parts/wide-content.tsx';

interface AboutProps {
  readonly descriptor: SkillDescriptor;
  readonly owner: PublisherProps['owner'];
}

export function About({ descriptor, owner }: AboutProps) {
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Facts descriptor={descriptor} owner={owner} />
        <Access descriptor={descriptor} />
      </div>
      <Inputs inputs={descriptor.inputs} />
      <Output output={descriptor.output} />
      {(descriptor.tags ?? []).length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {descriptor.tags!.map((tag) => (
            <li key={tag}>
              <Tag>{displayText(tag, 64)}</Tag>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Facts({ descriptor, owner }: AboutProps) {
  const { t } = useTranslation('skills');
  const { provider, endpoint, protocol } = descriptor;
  const seconds = (endpoint.timeout_ms ?? ENDPOINT_DEFAULTS.timeout_ms) / 1_000;
  return (
    <Card className="grid gap-3">
      <h2 className="font-semibold">{t('facts')}</h2>
      <dl className="grid gap-2 text-sm">
        <Fact name={t('id')}>
          <code className="font-mono text-xs">{descriptor.id}</code>
        </Fact>
        <Fact name={t('makers.owner')}>{<Publisher owner={owner} />}</Fact>
        <Fact name={t('makers.provider')}>{displayText(provider.name)}</Fact>
        {provider.url !== undefined && <Fact name={t('website')}>{<Away url={provider.url} />}</Fact>}
        {provider.contact !== undefined && <Fact name={t('contact')}>{displayText(provider.contact)}</Fact>}
        {descriptor.documentation_url !== undefined && (
          <Fact name={t('documentation')}>{<Away url={descriptor.documentation_url} />}</Fact>
        )}
        <Fact name={t('endpoint')}>
          <code className="font-mono text-xs">
            {endpoint.method ?? ENDPOINT_DEFAULTS.method} {displayText(endpoint.url, 400)}
          </code>
        </Fact>
        <Fact name={t('timeout')}>{t('seconds', { count: seconds })}</Fact>
        <Fact name={t('protocol')}>{protocol.version}</Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_1fr] gap-3">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-all">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

/** The text of the link is the address itself, so that it cannot mislead. */
function Away({ url }: { readonly url: string }) {
  if (!/^https?:/i.test(url)) return displayText(url, 400);
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline">
      {displayText(url, 400)}
    </a>
  );
}

function Access({ descriptor: { access, auth } }: { readonly descriptor: SkillDescriptor }) {
  const { t } = useTranslation('skills');
  const host = auth.oauth2 === undefined ? '' : displayText(hostOf(auth.oauth2.authorization_url));
  return (
    <Card className="grid gap-4 text-sm">
      <div>
        <h2 className="text-base font-semibold">{t('whoMay')}</h2>
        <p>{t(`accessLead.${access}`)}</p>
      </div>
      <div className="grid gap-2">
        <h2 className="text-base font-semibold">{t('auth')}</h2>
        <p className="break-words">{t(`authLead.${auth.type}`, { header: displayText(auth.header ?? ''), host })}</p>
        {auth.custom !== undefined && (
          <blockquote className="border-l-2 pl-3 break-words text-muted">
            <bdi>{displayText(auth.custom.instructions, 2_000)}</bdi>
          </blockquote>
        )}
        {auth.custom?.parameters !== undefined && <Parameters parameters={auth.custom.parameters} />}
        {auth.description !== undefined && (
          <p className="break-words text-muted">
            <bdi>{displayText(auth.description, 1_000)}</bdi>
          </p>
        )}
        {auth.oauth2 !== undefined && Object.keys(auth.oauth2.scopes).length > 0 && (
          <div>
            <p className="text-muted">{t('oauthScopes')}</p>
            <ul className="list-disc pl-5">
              {Object.entries(auth.oauth2.scopes).map(([name, what]) => (
                <li key={name}>
                  <code className="font-mono text-xs">{displayText(name, 80)}</code> <bdi>{displayText(what)}</bdi>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Card>
  );
}

function Parameters({ parameters }: { readonly parameters: NonNullable<SkillAuth['custom']>['parameters'] }) {
  const { t } = useTranslation('skills');
  return (
    <div>
      <p className="text-muted">{t('customParameters')}</p>
      {Array.isArray(parameters) ? (
        <ul className="list-disc pl-5">
          {(parameters as readonly AuthParameter[]).map(({ name, in: place, required, description }) => (
            <li key={name} className="break-words">
              <bdi>{t(`parameterIn.${place}`, { name: displayText(name, 128) })}</bdi>
              {` (${t(required ? 'required' : 'optional')}) `}
              <bdi>{displayText(description ?? '', 400)}</bdi>
            </li>
          ))}
        </ul>
      ) : (
        <JsonView value={parameters as JsonObject} />
      )}
    </div>
  );
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

const CELL = 'px-4 py-2.5 text-left align-top';

function Inputs({ inputs }: { readonly inputs: readonly SkillInput[] }) {
  const { t } = useTranslation('skills');
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="text-lg font-semibold">{t('inputs')}</h2>
      {inputs.length === 0 ? (
        <p className="text-muted">{t('inputsNone')}</p>
      ) : (
        <WideContent label={t('inputs')}>
          <table className="w-full min-w-[32rem] text-sm">
            <thead className="border-b text-muted">
              <tr>
                {(['inputName', 'inputType', 'inputWhat'] as const).map((name) => (
                  <th key={name} scope="col" className={`${CELL} font-medium`}>
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y">
              {inputs.map((input) => (
                <tr key={input.name}>
                  <th scope="row" className={`${CELL} font-medium`}>
                    <code className="font-mono text-xs break-all">{displayText(input.name)}</code>
                    <span className="block text-xs font-normal text-muted">
                      {t(input.required ? 'required' : 'optional')}
                    </span>
                  </th>
                  <td className={`${CELL} font-mono text-xs`}>{input.type}</td>
                  <td className={`${CELL} break-words`}>
                    <bdi>{displayText(input.description, 600)}</bdi>
                    <InputRules input={input} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideContent>
      )}
    </section>
  );
}

function InputRules({ input }: { readonly input: SkillInput }) {
  const { t } = useTranslation('skills');
  const show = (value: Json) => displayText(canonicalise(value), 80);
  const { enum: values, ...rest } = (input.schema ?? {}) as Record<string, Json>;
  const isPlain = (value: Json) => typeof value !== 'object' || value === null;
  const plain = Object.entries(rest).filter(([, value]) => isPlain(value));
  const nested = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isPlain(value)));
  return (
    <>
      {hasDefault(input) && <p className="text-muted">{t('byDefault', { value: show(input.default!) })}</p>}
      {Array.isArray(values) && <p className="text-muted">{t('oneOf', { values: values.map(show).join(', ') })}</p>}
      {plain.length > 0 && (
        <p className="font-mono text-xs text-muted">
          {plain.map(([keyword, value]) => `${displayText(keyword, 40)}: ${show(value)}`).join(', ')}
        </p>
      )}
      {Object.keys(nested).length > 0 && (
        <div className="mt-1">
          <JsonView value={nested} open={false} />
        </div>
      )}
    </>
  );
}

function Output({ output }: { readonly output: SkillDescriptor['output'] }) {
  const { t } = useTranslation('skills');
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="text-lg font-semibold">{t('output')}</h2>
      <p className="text-sm">{t('outputType', { type: displayText(output.content_type) })}</p>
      {output.description !== undefined && (
        <p className="text-sm break-words text-muted">
          <bdi>{displayText(output.description, 600)}</bdi>
        </p>
      )}
      {output.schema !== undefined && (
        <div className="grid grid-cols-1 gap-1">
          <h3 className="text-sm font-medium">{t('outputSchema')}</h3>
          <JsonView value={output.schema} />
        </div>
      )}
    </section>
  );
}
