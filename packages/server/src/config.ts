/** Of Argon2id; the memory in KiB. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** Everything a server needs to know. Made from the environment by `apps/server`, by hand in tests. */
export interface ServerConfig {
  readonly databaseUrl: string;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** As people reach it: links, cookies and passkeys are made for it. With port 0, the port is the one it gets. */
  readonly publicUrl: string;
  readonly development: boolean;
  /** 32 bytes or more; signs access tokens. */
  readonly tokenSecret: Uint8Array;
  /** 32 bytes; encrypts what must be read again, such as webhook secrets. */
  readonly storageSecret: Uint8Array;
  readonly trustedProxies: readonly string[];
  /** The minimum of OWASP if absent. Less is for tests, where hundreds of people sign up. */
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
  /** The built web client; without it there are no pages. */
  readonly webRoot?: string;
  /** TC-7: of one agent, over all nodes; 60 if absent. */
  readonly toolCallsPerMinute?: number;
  /** Folders of this machine that operators may activate bundles in, by name (BA-2). */
  readonly workspaces?: Readonly<Record<string, string>>;
  readonly poolSize: number;
  /** Where to log, one JSON object a line; standard error if absent. */
  readonly logFile?: string;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}
