export interface ChaosReport {
  readonly seconds: number;
  readonly messages: number;
  readonly acked: number;
  readonly handled: number;
  readonly versions: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly reconnects: number;
  readonly retries: number;
  readonly refusals: Readonly<Record<string, number>>;
  readonly longest_restart_ms: number;
  readonly longest_outage_ms: number;
  /** Empty where every promise was kept. */
  readonly faults: readonly { readonly rule: string; readonly text: string }[];
  /** The data and logs, kept where something went wrong. */
  readonly folder?: string;
}

export function runChaos(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly pace?: number;
  readonly restMs?: readonly [number, number];
  readonly tell?: (line: string) => void;
}): Promise<ChaosReport>;
