/** The cost of Argon2id; the memory is in KiB. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** The configuration of a server. `apps/server` makes it from the environment, tests by hand. */
export interface ServerConfig {
  readonly databaseUrl: string;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /**
   * The address that people use, for links, cookies and passkeys. With port 0, its port is replaced by the actual one.
   */
  readonly publicUrl: string;
  readonly development: boolean;
  /** At least 32 bytes, which sign access tokens. */
  readonly tokenSecret: Uint8Array;
  /** 32 bytes, which encrypt what must be read again, such as webhook secrets. */
  readonly storageSecret: Uint8Array;
  readonly trustedProxies: readonly string[];
  /** The minimum of OWASP by default. Less is for tests, where hundreds of people sign up. */
  readonly passwordCost?: PasswordCost;
  readonly smtpUrl?: string;
  readonly mailFrom: string;
  /** Lets webhooks and fetches reach loopback and private addresses. */
  readonly allowPrivateAddresses: boolean;
  readonly retention: {
    readonly envelopeDays: number;
    readonly eventDays: number;
    readonly deliveryDays: number;
  };
  /** The folder of the built web client; without it there are no pages. */
  readonly webRoot?: string;
  /** The limit of one agent over all nodes (TC-7); 60 by default. */
  readonly toolCallsPerMinute?: number;
  /** Folders of this machine that operators may activate bundles in, by name (BA-2). */
  readonly workspaces?: Readonly<Record<string, string>>;
  readonly poolSize: number;
  /** The log file, with one JSON object a line; standard error by default. */
  readonly logFile?: string;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}
