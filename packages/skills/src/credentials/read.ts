import { isJsonObject, type Json, type JsonObject, parseJson } from '@parley/documents';
import type { CredentialMap, OAuth2Client, OriginCredentials, Tokens } from './store.ts';

/** Allows visible characters only: a header cannot hold any others. */
const SECRET = /^[\u0021-\u007e](?:[\u0020-\u007e]{0,16382}[\u0021-\u007e])?$/;

/** Reads credentials by origin from JSON text. Returns undefined if it is malformed, and never says what it read. */
export function readCredentials(text: string | Uint8Array): CredentialMap | undefined {
  const parsed = parseJson(text, { maxLength: 4 * 1024 * 1024, maxDepth: 16 });
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const entries: [string, OriginCredentials][] = [];
  for (const [origin, value] of Object.entries(parsed.value)) {
    const credentials = readOne(value);
    if (!isOrigin(origin) || credentials === undefined) return undefined;
    entries.push([origin, credentials]);
  }
  return Object.fromEntries(entries);
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text && text !== 'null';
}

function readOne(value: Json): OriginCredentials | undefined {
  if (!isJsonObject(value)) return undefined;
  const { api_key, bearer, oauth2, custom } = value;
  if (api_key !== undefined && !isSecret(api_key)) return undefined;
  if (bearer !== undefined && !isSecret(bearer)) return undefined;
  const client = oauth2 === undefined ? undefined : readClient(oauth2);
  if (oauth2 !== undefined && client === undefined) return undefined;
  if (custom !== undefined && !isSecrets(custom)) return undefined;
  return {
    ...(api_key === undefined ? {} : { api_key }),
    ...(bearer === undefined ? {} : { bearer }),
    ...(client === undefined ? {} : { oauth2: client }),
    ...(custom === undefined ? {} : { custom }),
  };
}

function isSecret(value: Json | undefined): value is string {
  return typeof value === 'string' && SECRET.test(value);
}

function isSecrets(value: Json): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every(isSecret);
}

function readClient(value: Json): OAuth2Client | undefined {
  if (!isJsonObject(value) || !isSecret(value.client_id)) return undefined;
  const { client_secret, grant, token_url, scopes, tokens } = value;
  if (client_secret !== undefined && !isSecret(client_secret)) return undefined;
  if (grant !== undefined && grant !== 'authorization_code' && grant !== 'client_credentials') return undefined;
  if (token_url !== undefined && (typeof token_url !== 'string' || !URL.canParse(token_url))) return undefined;
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isSecret))) return undefined;
  if (tokens !== undefined && !(isJsonObject(tokens) && isTokens(tokens))) return undefined;
  return value as unknown as OAuth2Client;
}

function isTokens(value: JsonObject): boolean {
  const { access_token, refresh_token, expires_at } = value as Partial<Record<keyof Tokens, Json>>;
  if (!isSecret(access_token)) return false;
  if (refresh_token !== undefined && !isSecret(refresh_token)) return false;
  return expires_at === undefined || (typeof expires_at === 'number' && Number.isFinite(expires_at));
}
