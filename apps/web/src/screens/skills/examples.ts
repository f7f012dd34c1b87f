import type { Json } from '@parley/documents';
import { ENDPOINT_DEFAULTS, hasDefault, type SkillDescriptor, type SkillInput } from '@parley/documents/skill';

const SAMPLES: Readonly<Record<SkillInput['type'], Json>> = {
  string: '…',
  number: 1.5,
  integer: 1,
  boolean: true,
  object: {},
  array: [],
  null: null,
};

/** Makes up a value for each required input. */
function sampleInputs(inputs: readonly SkillInput[]): Record<string, Json> {
  return Object.fromEntries(inputs.filter(({ required }) => required).map((input) => [input.name, sample(input)]));
}

function sample(input: SkillInput): Json {
  const values = input.schema?.enum;
  if (hasDefault(input)) return input.default!;
  return Array.isArray(values) && values.length > 0 ? (values[0] as Json) : SAMPLES[input.type];
}

/** Secrets come from environment variables and never appear on a command line. */
export function curlExample(descriptor: SkillDescriptor): string {
  const { endpoint, auth, id, inputs } = descriptor;
  const body = { caller: { id: 'me', type: 'user' }, skill_id: id, inputs: sampleInputs(inputs) };
  const header = secretHeader(auth);
  const lines = [
    `curl -X ${endpoint.method ?? ENDPOINT_DEFAULTS.method} ${quote(endpoint.url)}`,
    "-H 'content-type: application/json'",
    ...(header === undefined ? [] : ['-H @-']),
    `-d ${quote(JSON.stringify(body))}`,
  ];
  const call = lines.join(' \\\n  ');
  return header === undefined
    ? call
    : `printf ${quote(`${header.name}: ${header.before}%s`)} "$SKILL_SECRET" | ${call}`;
}

function secretHeader(auth: SkillDescriptor['auth']): { name: string; before: string } | undefined {
  if (auth.type === 'api_key') return { name: auth.header!, before: '' };
  return auth.type === 'oauth2' ? { name: 'Authorization', before: 'Bearer ' } : undefined;
}

/** Quotes a text for a shell, so that no character is special. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function typescriptExample(descriptor: SkillDescriptor, descriptorUrl: string): string {
  const { inputs, auth } = descriptor;
  const values = JSON.stringify(sampleInputs(inputs), null, 2);
  const names = ['createSkillClient', ...(auth.type === 'none' ? [] : ['readEnvironment'])];
  const call = [`await client.invoke(descriptor, ${values}`, ...(auth.type === 'none' ? [] : ['{ credentials }'])];
  return [
    `import { ${names.join(', ')} } from '@parley/skills';`,
    '',
    'const client = createSkillClient();',
    `const descriptor = await client.fetchDescriptor(${JSON.stringify(descriptorUrl)});`,
    ...(auth.type === 'none' ? [] : ['const credentials = readEnvironment(process.env);']),
    `const { output } = ${call.join(', ')});`,
    'console.log(output);',
    '',
  ].join('\n');
}
