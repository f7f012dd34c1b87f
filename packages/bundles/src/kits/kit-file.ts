/** What comes with a kit, by the kit's id; verified against its digest before it is projected. */
export type KitFiles = ReadonlyMap<string, readonly KitFile[]>;

export interface KitFile {
  /** Relative to the kit's folder, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}
