import type { BudgetName } from '@parley/protocol';

/** The cost of Argon2id; the memory is in KiB. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** How long a server waits for its database (OP-9). */
export interface DatabaseLimits {
  /** For a new connection, and for one of the pool. */
  readonly connectMs: number;
  /** 0 for as long as it takes. */
  readonly statementMs: number;
  readonly idleTransactionMs: number;
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
  /** Others that it accepts what they signed: of before, until they are removed, or of later (OP-16). */
  readonly acceptedTokenSecrets?: readonly Uint8Array[];
  /** 32 bytes, which encrypt what must be read again, such as webhook secrets. */
  readonly storageSecret: Uint8Array;
  /** Others that it can open what they encrypted. */
  readonly acceptedStorageSecrets?: readonly Uint8Array[];
  readonly trustedProxies: readonly string[];
  /** The minimum of OWASP by default. Less is for tests, where hundreds of people sign up. */
  readonly passwordCost?: PasswordCost;
  /** Who may create an account (AC-8); everyone by default. */
  readonly registration?: 'open' | 'invitation' | 'closed';
  /** Becomes an operator when it registers, if it was verified by e-mail; otherwise the link for operators is bound to it. */
  readonly operatorEmail?: string;
  /** Where the link for the first operator is kept while there is none, readable by this user only. */
  readonly operatorLinkFile?: string;
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
  /** Connections to this node at a time, of which one address holds at most a third (OP-7); 20,000 by default. */
  readonly maxConnections?: number;
  /** How long the headers of a request may take; 10 s by default. Less is for tests. */
  readonly headersTimeoutMs?: number;
  /** What every account may use, where that is not the default (OP-1). */
  readonly budgets?: Readonly<Partial<Record<BudgetName, number>>>;
  /** How long the database may keep it waiting (OP-9); see DATABASE_LIMITS for the defaults. */
  readonly databaseLimits?: Partial<DatabaseLimits>;
  /** How it stops (OP-10); both are 0 by default. */
  readonly drain?: {
    /** How long it still takes requests after it has said that it is not ready. */
    readonly delayMs: number;
    /** How long connections that are not in use are kept open after that, for a request that is on its way. */
    readonly graceMs: number;
  };
  /** The folder of what the server itself writes; readiness tests a write there (OP-8). */
  readonly dataDir?: string;
  /** The log file, with one JSON object a line; standard error by default. */
  readonly logFile?: string;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}
