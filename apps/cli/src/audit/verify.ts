import { type AuditVerification, explainAuditProblem, verifyExport } from '@parley/client';
import { nodeCrypto } from '@parley/e2ee/node';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import { readInput } from '../input.ts';
import type { Words } from '../messages/index.ts';
import { type AuditOptions, withAudit } from './open.ts';

export interface VerifyOptions extends AuditOptions {
  readonly file?: string;
  readonly key?: string;
}

const KEY = /^[A-Za-z0-9_-]{43}$/;

/** Verifies the log of this device, or an exported log of any device whose key is given. */
export async function verifyAudit({ file, key, url }: VerifyOptions, words: Words): Promise<CommandResult> {
  if (key !== undefined && !KEY.test(key))
    throw new CommandError('USAGE', { sentences: [{ key: 'audit.key_invalid' }] });
  const options = url === undefined ? {} : { url };
  if (file === undefined) {
    return withAudit(options, async (log, own) => describe(await log.verify(), own, words));
  }
  const text = new TextDecoder().decode(await readInput(file));
  const publicKey = key ?? (await withAudit(options, async (_, own) => own));
  return describe(verifyExport(text, { crypto: nodeCrypto, publicKey }), publicKey, words);
}

function describe(result: AuditVerification, publicKey: string, words: Words): CommandResult {
  if (!result.ok) {
    const message = explainAuditProblem(result, words.locale);
    const { problem, seq } = result;
    return {
      exit: EXIT.bad,
      json: { ok: false, problem, seq, message, device_key: publicKey },
      text: (paint) => `${paint('red', '✗')} ${message}\n`,
    };
  }
  const { entries, head } = result;
  return {
    exit: EXIT.fine,
    json: { ok: true, entries, head, device_key: publicKey },
    text: (paint) => `${paint('green', '✓')} ${words.say('audit.fine', { n: entries, key: publicKey })}\n`,
  };
}
