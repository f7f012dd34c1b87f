/** The files of the kits, by kit id. They are verified against the kit's digest before they are projected. */
export type KitFiles = ReadonlyMap<string, readonly KitFile[]>;

export interface KitFile {
  /** The path relative to the kit's folder, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}
