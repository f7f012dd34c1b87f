/** The change of one file. Digests are SHA-256 in hex of the whole file; null means that there is none. */
export interface PlanOperation {
  readonly action: 'create' | 'modify' | 'remove';
  readonly kind: 'own' | 'block';
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly mode: number;
  /** The bytes, or the path of the kept original. */
  readonly content: Uint8Array | { readonly kept: string; readonly digest: string } | null;
  /** True if the original goes into the snapshot. */
  readonly keep: boolean;
}
