declare module 'http-cache-semantics' {
  type Headers = Readonly<Record<string, string | string[] | undefined>>;
  interface PolicyRequest {
    readonly url: string;
    readonly method: string;
    readonly headers: Headers;
  }
  interface PolicyResponse {
    readonly status: number;
    readonly headers: Headers;
  }
  export default class CachePolicy {
    constructor(request: PolicyRequest, response: PolicyResponse, options?: { shared?: boolean });
    storable(): boolean;
    satisfiesWithoutRevalidation(request: PolicyRequest): boolean;
    revalidationHeaders(request: PolicyRequest): Record<string, string>;
    revalidatedPolicy(request: PolicyRequest, response: PolicyResponse): { policy: CachePolicy; modified: boolean };
  }
}
