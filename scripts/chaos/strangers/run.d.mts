export interface StrangersRow {
  readonly name: string;
  readonly ack_ms: { readonly median: number | null; readonly count: number };
  readonly webhook_ms: { readonly median: number | null; readonly count: number };
  readonly recovery_ms: number | null;
  /** What the attacker was answered, and how often. */
  readonly attacker: Readonly<Record<string, number>>;
  /** What the innocent would complain about. */
  readonly faults: readonly string[];
}

export function runStrangers(options: {
  readonly names?: readonly string[];
  readonly seconds: number;
  readonly tell?: (row: StrangersRow) => void;
}): Promise<StrangersRow[]>;
