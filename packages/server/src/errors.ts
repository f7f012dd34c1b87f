/** Why a server cannot start, apart from mistakes of ours. The words are the caller's. */
export type StartFailureCode =
  /** Another process holds the folder: `folder`, `pid`, `host`. */
  | 'FOLDER_HELD'
  /** No Postgres comes with npm for this `platform`. */
  | 'POSTGRES_MISSING'
  /** It is root, and there is no other user to run Postgres as. */
  | 'POSTGRES_NO_USER'
  /** Root's `folder` cannot be reached by the `user` Postgres runs as, and there is no other place. */
  | 'POSTGRES_UNREACHABLE'
  /** The data in `folder` is of Postgres `found`; ours is `needed`. */
  | 'POSTGRES_VERSION'
  /** `reason` is its own last words, `log` has them all. */
  | 'POSTGRES_FAILED';

export class StartFailure extends Error {
  readonly code: StartFailureCode;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(code: StartFailureCode, params: Readonly<Record<string, string | number>> = {}) {
    super(`${code} ${JSON.stringify(params)}`);
    this.code = code;
    this.params = params;
  }
}
