/**
 * An entry has the field names of CG-12, because it is exported as it is. It holds digests only, never arguments or
 * results.
 */
export interface AuditEntry {
  readonly call_id: string;
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly tool_name: string;
  /** The scope in the manifest; null where the tool is not declared. */
  readonly scope: string | null;
  /** SHA-256 of the RFC 8785 form, in hex. */
  readonly arguments_digest: string;
  readonly status: 'ok' | 'denied' | 'error';
  readonly reason?: string;
  readonly manifest_hash: string | null;
  /** Why it ran: the level is low (`none`), a window was open, or the person allowed this call. */
  readonly approval?: 'none' | 'window' | 'prompt';
  readonly timestamp: string;
}

/** A record of the chain. `prev` is the hash of the record before or of the checkpoint, or null at the beginning. */
export interface AuditRecord extends AuditEntry {
  readonly seq: number;
  readonly prev: string | null;
}

export interface AuditFilter {
  readonly agentId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly status?: AuditEntry['status'] | undefined;
  /** ISO times; `from` is included, `to` is not. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
}

export type AuditVerification =
  | { readonly ok: true; readonly entries: number; readonly head: string | null }
  | { readonly ok: false; readonly problem: string; readonly seq: number };

/** Hash-chained, kept 30 days (CG-12). */
export interface AuditLog {
  /** On disk when it resolves; entries given at the same time may be written together, in order. */
  append(entry: AuditEntry): Promise<void>;
  /** Returns the newest first. */
  list(filter?: AuditFilter): Promise<readonly AuditRecord[]>;
  verify(): Promise<AuditVerification>;
  /** Returns the whole log as text, one JSON object a line, checkpoint first: anyone can verify it. */
  export(): Promise<string>;
  /**
   * Replaces records older than 30 days by a signed checkpoint; returns how many. Called about daily, with a time that the
   * server's clock and this device's agree on (EE-25): a record is dropped 30 days after the first such time.
   */
  prune(now: Date): Promise<number>;
}
