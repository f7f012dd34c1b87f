/** Tokens of an authorization server, as they were granted. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  /** Milliseconds since 1970; absent where the server did not say. */
  readonly expires_at?: number;
  readonly scope?: string;
}

export interface OAuth2Client {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly grant?: 'authorization_code' | 'client_credentials';
  /**
   * The one address that the client's secret and refresh tokens go to. Without it only an address on the skill's own
   * origin gets them: a descriptor must not send them elsewhere (SI-2).
   */
  readonly token_url?: string;
  readonly scopes?: readonly string[];
  readonly tokens?: Tokens;
}

/** What is kept for one origin; it goes to that origin only (SI-2). */
export interface OriginCredentials {
  readonly api_key?: string;
  /** For reading an index or a registry. */
  readonly bearer?: string;
  readonly oauth2?: OAuth2Client;
  /** For `auth.custom.parameters` that are a list: name → value. */
  readonly custom?: Readonly<Record<string, string>>;
}

export interface CredentialStore {
  find(origin: string): Promise<OriginCredentials | undefined>;
  /** Keeps new tokens; false where there is nothing to keep them with. */
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
