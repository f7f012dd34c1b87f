import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';

export interface AuthorizationServer {
  readonly origin: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Forms that came to the token endpoint, with how the client showed who it is. */
  readonly tokenRequests: { form: URLSearchParams; authorization: string | undefined }[];
  /** Whether an access token, of whatever grant, is good. */
  accepts(token: string): Promise<boolean>;
  revoke(token: string): Promise<void>;
  /** What the person answers; "allow" unless told. */
  answer: 'allow' | 'deny';
}

/** A real one: oidc-provider, with a person who answers at once. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const { default: OidcProvider } = await import('oidc-provider');
  const tokenRequests: AuthorizationServer['tokenRequests'] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new OidcProvider(origin, CONFIGURATION);
  const oidc = provider.callback();
  const state: AuthorizationServer = {
    origin,
    authorizationUrl: `${origin}/auth`,
    tokenUrl: `${origin}/token`,
    tokenRequests,
    answer: 'allow',
    accepts: async (token) => (await find(provider, token))?.isValid === true,
    revoke: async (token) => (await find(provider, token))?.destroy(),
  };
  handle = (request, response) => {
    if (request.url!.startsWith('/interaction/')) void interact(provider, state, { request, response });
    else {
      if (request.url === '/token') note(request, tokenRequests);
      oidc(request, response);
    }
  };
  return state;
}

async function find(provider: Provider, token: string) {
  return (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
}

function note(request: IncomingMessage, list: AuthorizationServer['tokenRequests']): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    list.push({
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
      authorization: request.headers.authorization,
    }),
  );
}

async function interact(
  provider: Provider,
  { answer }: AuthorizationServer,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  const finish = (result: object) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  if (answer === 'deny') return finish({ error: 'access_denied', error_description: 'no' });
  if (prompt.name === 'login') return finish({ login: { accountId: 'alice' } });
  const grant = new provider.Grant({ accountId: session!.accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  return finish({ consent: { grantId: await grant.save() } });
}

const CONFIGURATION = {
  scopes: ['openid', 'offline_access', 'skill:invoke'],
  clients: [
    {
      client_id: 'native',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    {
      client_id: 'robot',
      client_secret: 's3cret/+&of the robot',
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
      scope: 'skill:invoke',
    },
  ],
  features: { devInteractions: { enabled: false }, clientCredentials: { enabled: true } },
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  cookies: { keys: ['test'] },
  ttl: { AccessToken: 3600, ClientCredentials: 3600, RefreshToken: 7200, Grant: 7200, Session: 7200, Interaction: 600 },
};

/** A browser as far as this flow needs one: follows redirects, keeps cookies. The answer is where it ended. */
export async function browse(start: string): Promise<{ url: string; status: number }> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 20; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';', 1)[0]!.split(/=(.*)/s) as [string, string];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) return { url, status: response.status };
    url = new URL(location, url).href;
  }
  throw new Error('too many redirects');
}
