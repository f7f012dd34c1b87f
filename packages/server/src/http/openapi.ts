import { type CallerKind, ERRORS, LINES_TYPE, type RouteContract } from '@parley/protocol';

/** The API in OpenAPI 3.1, made from the contracts alone. */
export interface ApiDescription {
  readonly openapi: '3.1.1';
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  /** The status that each kind of caller gets, and the rate limit (TR-8). */
  readonly 'x-access': Readonly<Record<CallerKind, number>>;
  readonly 'x-limit': { readonly body_bytes: number; readonly requests_per_minute: number; readonly by: string };
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: unknown;
}

type Content = Readonly<Record<string, { readonly schema: unknown }>>;

/** The parts of a JSON Schema that are read here. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly type?: string;
  readonly anyOf?: readonly { readonly type?: string }[];
}

const PROBLEM = { $ref: '#/components/schemas/Error' };

export function describeApi(routes: readonly RouteContract[], version: string): ApiDescription {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Parley',
      version,
      description: 'Agents declare what they can do, people decide what they may do. Sockets: /ws/human and /ws/agent.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token of a person, or an agent’s hsk_ token.',
        },
      },
      schemas: { Error: describeError() },
    },
  };
}

function describeRoute(route: RouteContract): Operation {
  const { method, path, summary, tag, params, query, body, limit, access } = route;
  const parameters = [...parametersOf(params, 'path'), ...parametersOf(query, 'query')];
  return {
    operationId: nameOf(method, path),
    summary,
    tags: [tag],
    security: access.anonymous === 401 ? [{ token: [] }] : [{}, { token: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined
      ? {}
      : { requestBody: { required: !acceptsNothing(body), content: { 'application/json': { schema: plain(body) } } } }),
    responses: describeResponses(route),
    'x-access': access,
    'x-limit': { body_bytes: limit.body, requests_per_minute: limit.perMinute, by: limit.by },
  };
}

/** `GET /agents/:agent_id/manifests` is `getAgentsByAgentIdManifests`. */
function nameOf(method: string, path: string): string {
  const words = path.replace(/:/g, 'by-').split(/[^A-Za-z0-9]+/);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return (
    method.toLowerCase() +
    words
      .filter((word) => word !== '')
      .map(capital)
      .join('')
  );
}

function parametersOf(schema: unknown, location: 'path' | 'query'): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name: name === '*' ? 'path' : name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: plain(property),
  }));
}

function acceptsNothing(body: unknown): boolean {
  const { type, anyOf = [] } = body as ObjectSchema;
  return type === 'null' || anyOf.some((choice) => choice.type === 'null');
}

const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, nothing to say',
  400: 'The request is malformed',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not there, or not for you',
  409: 'Not as things are now',
  413: 'Too large',
  415: 'Not JSON',
  429: 'Too many requests; Retry-After says when',
};

function describeResponses(route: RouteContract): Operation['responses'] {
  const { status, access, body, params, query } = route;
  const takesInput = body !== undefined || params !== undefined || query !== undefined;
  const failures = [
    ...Object.values(access).filter((code) => code >= 400),
    ...(takesInput ? [400] : []),
    ...(body === undefined ? [] : [413, 415]),
    429,
  ];
  const describe = (code: number, content?: Content) => [
    String(code),
    { description: MEANINGS[code] ?? 'Failed', ...(content ? { content } : {}) },
  ];
  const unique = [...new Set(failures)].sort((a, b) => a - b);
  return Object.fromEntries([
    describe(status, status === 204 ? undefined : describeSuccess(route)),
    ...unique.map((code) => describe(code, { 'application/json': { schema: PROBLEM } })),
  ]);
}

function describeSuccess({ reply, event }: RouteContract): Content {
  const whole = { [mediaType(reply)]: { schema: plain(reply) } };
  if (event === undefined) return whole;
  const line = (name: string, schema: unknown) => ({
    type: 'object',
    required: [name],
    properties: { [name]: schema },
  });
  const description = 'Of each line. The last one, and only it, holds the reply or an error.';
  const anyOf = [line('event', plain(event)), line('reply', plain(reply)), PROBLEM];
  return { ...whole, [LINES_TYPE]: { schema: { description, anyOf } } };
}

const mediaType = (reply: unknown) => ((reply as ObjectSchema).type === 'string' ? 'text/plain' : 'application/json');

/** Describes the body of every error (TR-7). */
function describeError(): object {
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'i18n_key', 'params', 'request_id'],
        properties: {
          code: { type: 'string', enum: Object.keys(ERRORS) },
          message: text,
          i18n_key: text,
          params: { type: 'object' },
          request_id: text,
        },
      },
    },
  };
}

/** Removes the properties that TypeBox adds to a schema for itself. */
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));
