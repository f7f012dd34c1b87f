/** The tokens that an authorization server granted. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  /** Milliseconds since 1970; absent if the server did not say. */
  readonly expires_at?: number;
  readonly scope?: string;
}

export interface OAuth2Client {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly grant?: 'authorization_code' | 'client_credentials';
  /**
   * The one address that receives the client's secret and refresh tokens. Without it they are sent only to an address
   * on the skill's own origin: a descriptor must not send them elsewhere (SI-2).
   */
  readonly token_url?: string;
  readonly scopes?: readonly string[];
  readonly tokens?: Tokens;
}

/** The credentials for one origin; they are sent to that origin only (SI-2). */
export interface OriginCredentials {
  readonly api_key?: string;
  /** Used to read an index or a registry. */
  readonly bearer?: string;
  readonly oauth2?: OAuth2Client;
  /** The values of the `auth.custom.parameters` list, by name. */
  readonly custom?: Readonly<Record<string, string>>;
}

export interface CredentialStore {
  find(origin: string): Promise<OriginCredentials | undefined>;
  /** Saves new tokens. Returns false if the store has no entry for them. */
  saveTokens(origin: string, tokens: Tokens | undefined, tokenUrl?: string): Promise<boolean>;
}

export type CredentialMap = Readonly<Record<string, OriginCredentials>>;

export function withTokens(
  credentials: OriginCredentials | undefined,
  tokens: Tokens | undefined,
  tokenUrl?: string,
): OriginCredentials | undefined {
  if (credentials?.oauth2 === undefined) return undefined;
  const { tokens: _, ...client } = credentials.oauth2;
  return {
    ...credentials,
    oauth2: {
      ...client,
      ...(tokenUrl === undefined ? {} : { token_url: tokenUrl }),
      ...(tokens === undefined ? {} : { tokens }),
    },
  };
}
