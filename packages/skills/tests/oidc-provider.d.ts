declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Interaction {
    readonly prompt: { readonly name: 'login' | 'consent' };
    readonly params: { readonly client_id: string; readonly scope: string };
    readonly session?: { readonly accountId: string };
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  interface StoredToken {
    readonly isValid: boolean;
    readonly scope?: string;
    destroy(): Promise<void>;
  }
  interface TokenModel {
    find(value: string): Promise<StoredToken | undefined>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (owner: {
      accountId: string;
      clientId: string;
    }) => Grant;
    readonly AccessToken: TokenModel;
    readonly ClientCredentials: TokenModel;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
