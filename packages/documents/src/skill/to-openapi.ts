import type { Json, JsonObject } from '../json/value.ts';
import { readSchema } from '../schema/read.ts';
import { toReference } from '../schema/reference.ts';
import { type AuthParameter, ENDPOINT_DEFAULTS, type SkillDescriptor } from './descriptor.ts';
import { toInputSchema } from './input-schema.ts';
import { relocate } from './relocate.ts';
import { PLACEHOLDER } from './url.ts';

const JSON_TYPE = 'application/json';
const SCHEMAS = '/components/schemas';
const ref = (name: string): JsonObject => ({ $ref: `#${SCHEMAS}/${name}` });

/** Describes the skill as an OpenAPI 3.1 document of the invocation protocol (SI-1, SI-4). */
export function toOpenApi(descriptor: SkillDescriptor): JsonObject {
  const { endpoint, documentation_url, provider, auth } = descriptor;
  const { origin, path } = splitUrl(endpoint.url);
  const method = (endpoint.method ?? ENDPOINT_DEFAULTS.method).toLowerCase();
  const schemes = securitySchemes(auth);
  return {
    openapi: '3.1.0',
    info: {
      title: descriptor.name,
      version: descriptor.version,
      description: descriptor.description,
      contact: { name: provider.name, ...(provider.url === undefined ? {} : { url: provider.url }) },
    },
    ...(documentation_url === undefined ? {} : { externalDocs: { url: documentation_url } }),
    servers: [{ url: origin }],
    paths: {
      [path]: { [method]: invocation(descriptor) },
      ...followUp(endpoint.status_url, 'Status', { origin, id: descriptor.id }),
      ...followUp(endpoint.result_url, 'Result', { origin, id: descriptor.id }),
    },
    components: {
      schemas: {
        Inputs: relocateSchema(toInputSchema(descriptor.inputs), 'Inputs'),
        Output: descriptor.output.schema === undefined ? {} : relocateSchema(descriptor.output.schema, 'Output'),
        ...ENVELOPES,
      },
      ...(Object.keys(schemes).length === 0 ? {} : { securitySchemes: schemes }),
    },
  };
}

function invocation(descriptor: SkillDescriptor): JsonObject {
  const { id, name, description, auth, tags } = descriptor;
  const body = {
    type: 'object',
    properties: { caller: ref('Caller'), skill_id: { const: id }, inputs: ref('Inputs'), context: ref('Context') },
    required: ['caller', 'skill_id', 'inputs'],
  };
  return {
    operationId: id,
    summary: name,
    description,
    ...(tags === undefined ? {} : { tags }),
    parameters: [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } }],
    requestBody: { required: true, content: { [JSON_TYPE]: { schema: body } } },
    responses: {
      200: answer('The output.', ref('Result')),
      202: answer('Accepted; the status tells how it goes on.', ref('Accepted')),
      default: answer('An error.', ref('Error')),
    },
    security: securityOf(auth),
  };
}

function securityOf(auth: SkillDescriptor['auth']): Json {
  if (auth.type === 'none') return [];
  if (auth.type === 'custom') return listAlternatives(listParameters(auth));
  return [{ [auth.type]: Object.keys(auth.oauth2?.scopes ?? {}) }];
}

/** Lists the parameters with the optional ones and without them; OpenAPI has no other way to express that. */
function listAlternatives(parameters: readonly [string, AuthParameter][]): Json {
  const name = (some: typeof parameters) => Object.fromEntries(some.map(([scheme]) => [scheme, []]));
  const required = parameters.filter(([, parameter]) => parameter.required === true);
  if (parameters.length === 0) return [];
  return required.length === parameters.length ? [name(parameters)] : [name(parameters), name(required)];
}

function listParameters({ custom }: SkillDescriptor['auth']): readonly [string, AuthParameter][] {
  const parameters = custom?.parameters;
  return Array.isArray(parameters) ? parameters.map((parameter, index) => [`custom_${index + 1}`, parameter]) : [];
}

function securitySchemes(auth: SkillDescriptor['auth']): JsonObject {
  const description = auth.description === undefined ? {} : { description: auth.description };
  if (auth.type === 'api_key') {
    return { api_key: { type: 'apiKey', in: 'header', name: auth.header!, ...description } };
  }
  if (auth.type === 'custom') {
    const schemes = listParameters(auth).map(([scheme, { name, in: place, description: what }]) => [
      scheme,
      { type: 'apiKey', in: place, name, ...(what === undefined ? {} : { description: what }) },
    ]);
    return Object.fromEntries(schemes);
  }
  if (auth.type !== 'oauth2') return {};
  const { authorization_url, token_url, scopes } = auth.oauth2!;
  const flow = { authorizationUrl: authorization_url, tokenUrl: token_url, scopes };
  return { oauth2: { type: 'oauth2', flows: { authorizationCode: flow }, ...description } };
}

interface OperationContext {
  readonly origin: string;
  readonly id: string;
}

/** Names the server only if it differs from that of the endpoint, which the document has already. */
function followUp(
  template: string | undefined,
  kind: 'Status' | 'Result',
  { origin, id }: OperationContext,
): JsonObject {
  if (template === undefined) return {};
  const full = template.includes(PLACEHOLDER) ? template : `${template.replace(/\/$/, '')}/${PLACEHOLDER}`;
  const url = splitUrl(full);
  if (url.path.includes('?')) return {};
  const operation = {
    operationId: `${id}.${kind.toLowerCase()}`,
    parameters: [{ name: 'execution_id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: answer(`${kind} of an execution.`, ref(kind)), default: answer('An error.', ref('Error')) },
    ...(url.origin === origin ? {} : { servers: [{ url: url.origin }] }),
  };
  return { [url.path]: { get: operation } };
}

function answer(description: string, schema: JsonObject): JsonObject {
  return { description, content: { [JSON_TYPE]: { schema } } };
}

function splitUrl(url: string): { origin: string; path: string } {
  const [, origin, path] = /^([a-z]+:\/\/[^/?#]*)(.*)$/i.exec(url)!;
  return { origin: origin!, path: path!.startsWith('/') ? path! : `/${path}` };
}

/** A reference starts at the document's root, wherever the schema is. */
function relocateSchema(schema: JsonObject, name: string): Json {
  const { schema: current, subschemas } = readSchema(schema);
  return relocate(current, subschemas, { move: (target) => toReference(`${SCHEMAS}/${name}${target}`) });
}

const TEXT = { type: 'string' };
const ENVELOPES: JsonObject = {
  Caller: {
    type: 'object',
    properties: { id: TEXT, type: { enum: ['ifay', 'service', 'user'] } },
    required: ['id', 'type'],
  },
  Context: {
    type: 'object',
    properties: { trace_id: TEXT, priority: TEXT, timeout_ms: { type: 'integer', minimum: 1 } },
  },
  Accepted: {
    type: 'object',
    properties: { execution_id: TEXT, status: { const: 'accepted' } },
    required: ['execution_id', 'status'],
  },
  Status: {
    type: 'object',
    properties: {
      execution_id: TEXT,
      status: { enum: ['accepted', 'running', 'completed', 'failed', 'cancelled'] },
    },
    required: ['status'],
  },
  Result: { type: 'object', properties: { output: ref('Output') }, required: ['output'] },
  Error: {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: TEXT,
          message: TEXT,
          details: {},
          retry: {
            type: 'object',
            properties: { suggested_delay_ms: { type: 'integer' }, max_attempts: { type: 'integer' } },
          },
        },
        required: ['code', 'message'],
      },
    },
    required: ['error'],
  },
};
