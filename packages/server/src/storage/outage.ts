/**
 * Classes 08 (connection) and 53 (out of connections, memory, disk) of SQLSTATE; a server that stops or starts; a
 * statement or transaction over its time limit; one that is not the primary any more; a disk that fails; two transactions
 * that wait for each other.
 */
const STATES = /^(08...|53...|57P0[1-3]|57014|25P03|25006|40P01|58030)$/;
const SYSTEM = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const DISK = /^(ENOSPC|EDQUOT|EIO|EROFS)$/;
/** pg gives these errors no code. */
const MESSAGES =
  /^(Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded when trying to)/;

/** Is the database unreachable, restarting or in each other's way? Then the same request may succeed later. */
export function isDatabaseOutage(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (STATES.test(code) || SYSTEM.test(code))) return true;
  return typeof message === 'string' && MESSAGES.test(message);
}

/** In one word, for a person: the code of the system or of Postgres. Undefined for any other error. */
export function describeOutage(error: unknown): string | undefined {
  if (!isDatabaseOutage(error)) return undefined;
  const { code, message = '' } = error as { code?: string; message?: string };
  return code ?? (/time/i.test(message) ? 'timeout' : 'connection lost');
}

/** Is the disk of this machine full or broken? Then the same request may succeed later, too (OP-8). */
export function isDiskFailure(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && DISK.test(code);
}
