import { readText } from './record.ts';
import type { AuditVerification } from './types.ts';
import { type ChainTexts, type Verifying, verifyChain } from './verify.ts';

/** Writes one JSON object a line: the checkpoint if there is one, the records, and the head. */
export function writeExport({ checkpoint, records, head }: ChainTexts): string {
  const lines = [checkpoint, ...records.map(({ text }) => text), head].filter((line) => line !== undefined);
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Verifies a file that anyone may have altered. It trusts nothing but the device's identity key, and needs no store.
 */
export function verifyExport(text: string, verifying: Verifying): AuditVerification {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  const purposeOf = (line: string | undefined) => line && readText<{ purpose?: unknown }>(line)?.purpose;
  const checkpoint = purposeOf(lines[0]) === 'parley-audit-checkpoint-v1' ? lines.shift() : undefined;
  const head = purposeOf(lines.at(-1)) === 'parley-audit-head-v1' ? lines.pop() : undefined;
  if (head === undefined) return { ok: false, problem: 'head_missing', seq: lines.length };
  return verifyChain({ checkpoint, records: lines.map((line) => ({ text: line })), head }, verifying);
}
