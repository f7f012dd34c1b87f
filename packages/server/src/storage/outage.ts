/** Classes 08 (connection) and 53 (out of connections, memory, disk) of SQLSTATE, and a server that stops or starts. */
const STATES = /^(08...|53...|57P0[1-3])$/;
const SYSTEM = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** pg gives these errors no code. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to)/;

/** Is the database unreachable or restarting? Then the same request may succeed later. */
export function isDatabaseOutage(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && (STATES.test(code) || SYSTEM.test(code))) return true;
  return typeof message === 'string' && MESSAGES.test(message);
}
