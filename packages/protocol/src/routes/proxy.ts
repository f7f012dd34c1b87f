import { closed } from '../formats.ts';
import { defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson } from './access.ts';

const HeaderName = '^[A-Za-z0-9-]{1,64}$';

export const proxyFetch = defineRoute({
  method: 'POST',
  path: '/proxy/fetch',
  summary:
    'Fetches a public web page for a browser, which may not itself. No cookies, no credentials, no private addresses. A redirect to another origin is handed back',
  tag: 'proxy',
  body: Type.Object(
    {
      url: Type.String({ minLength: 1, maxLength: 8_192 }),
      method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
      headers: Type.Optional(
        Type.Record(
          Type.String({ pattern: HeaderName }),
          Type.String({ maxLength: 4_096, pattern: '^[\\t\\x20-\\x7e]*$' }),
          {
            maxProperties: 20,
            additionalProperties: false,
            description:
              'Accept, Accept-Language, Content-Type, If-Modified-Since, If-None-Match; others are not sent.',
          },
        ),
      ),
      body: Type.Optional(Type.String({ maxLength: 256 * 1024, description: 'With POST only.' })),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    status_code: Type.Integer(),
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String({ description: 'As text; what is no UTF-8 becomes U+FFFD.' }),
    truncated: Type.Boolean({ description: 'There was more than 1 MB; the rest was not read.' }),
    redirect: Type.Optional(
      Type.String({
        description:
          'Where a redirect to another origin leads. It is not followed: the device asks the person first (CG-15).',
      }),
    ),
  }),
  limit: { body: 512 * 1024, perMinute: 60, by: 'caller' },
  access: anyPerson(200),
});

export const PROXY_ROUTES: readonly RouteContract[] = [proxyFetch];
