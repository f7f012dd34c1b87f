export interface FileRules {
  /** Folders of the person's choice; nothing outside them is ever opened. */
  readonly roots: readonly string[];
  /** Folders inside the roots that are never opened, such as the keystore. */
  readonly never?: readonly string[] | undefined;
  /** Allows names that begin with a dot, which hold keys and tokens more often than notes. */
  readonly hidden?: boolean | undefined;
}
