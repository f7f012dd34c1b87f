import { type Logger, pino } from 'pino';
import type { ServerConfig } from '../config.ts';
import type { LogFile } from './log-file.ts';

const REDACTED = ['req.headers.authorization', 'req.headers.cookie', '*.token', '*.password', '*.secret'];

export function createLog({ logLevel }: Pick<ServerConfig, 'logLevel'>, file: LogFile): Logger {
  return pino({ level: logLevel, redact: REDACTED }, file);
}
