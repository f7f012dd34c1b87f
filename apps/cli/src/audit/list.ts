import type { AuditRecord } from '@parley/client';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { type AuditOptions, withAudit } from './open.ts';

export interface ListOptions extends AuditOptions {
  readonly agent?: string;
  readonly tool?: string;
  readonly status?: string;
  readonly limit?: string;
}

const STATUSES = ['ok', 'denied', 'error'] as const;
const STYLES = { ok: 'green', denied: 'yellow', error: 'red' } as const;
const DEFAULT_LIMIT = '50';

export function listAudit(options: ListOptions, words: Words): Promise<CommandResult> {
  const { agent, tool, limit = DEFAULT_LIMIT } = options;
  const status = STATUSES.find((one) => one === options.status);
  if (options.status !== undefined && status === undefined) {
    const params = { name: '--status', value: options.status, choices: STATUSES.join(', ') };
    throw new CommandError('USAGE', { sentences: [{ key: 'usage.invalid_value', params }] });
  }
  if (!/^[1-9]\d{0,6}$/.test(limit)) {
    throw new CommandError('USAGE', { sentences: [{ key: 'usage.number', params: { name: '--limit' } }] });
  }
  return withAudit(options, async (log) => {
    const records = await log.list({
      limit: Number(limit),
      ...(agent === undefined ? {} : { agentId: agent }),
      ...(tool === undefined ? {} : { toolName: tool }),
      ...(status === undefined ? {} : { status }),
    });
    return {
      exit: EXIT.fine,
      json: { records },
      text: (paint) =>
        records.length === 0
          ? `${words.say('audit.empty')}\n`
          : records.map((record) => formatRecord(record, paint)).join(''),
    };
  });
}

export function formatRecord(record: AuditRecord, paint: Paint): string {
  const { seq, timestamp, status, reason, tool_name, scope, agent_id, approval } = record;
  const outcome = paint(STYLES[status], reason === undefined ? status : `${status} / ${displayName(reason)}`);
  const where = [displayName(scope ?? '–'), displayName(agent_id), ...(approval === undefined ? [] : [approval])];
  const time = displayName(timestamp).replace('T', ' ').slice(0, 19);
  return `${paint('dim', `${seq}`)}  ${time}  ${paint('bold', displayName(tool_name))}  ${outcome}\n    ${paint('dim', where.join('  '))}\n`;
}
