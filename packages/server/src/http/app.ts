import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { readAcceptLanguage } from '@parley/base';
import { parseJson } from '@parley/documents';
import { toWire } from '@parley/protocol';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { isDatabaseOutage } from '../storage/outage.ts';
import { RequestError } from './request-error.ts';

export interface AppOptions {
  readonly log: Logger;
  /** Addresses whose forwarded headers are trusted; none by default. */
  readonly trustedProxies: readonly string[];
  readonly now: () => Date;
}

/** A manifest may nest 128 deep (CM-7), and comes wrapped in a body. */
const MAX_DEPTH = 130;

/** Keeps what it has compiled: for a second server of one process, as in tests, the contracts cost nothing. */
let compileSchema: FastifyInstance['validatorCompiler'];

/** Creates the HTTP server without routes: request ids, strict JSON, and errors in the form of TR-7. */
export function createApp({ log, trustedProxies, now }: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: 1024 * 1024,
    // The id of a passkey has up to 1,023 bytes.
    routerOptions: { maxParamLength: 1_400 },
    connectionTimeout: 30_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: true,
    // An address that the router itself cannot read never reaches the error handler.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendError(error, request as FastifyRequest, reply as FastifyReply);
    },
    clientErrorHandler: answerUnreadable,
    // Bodies are checked by the contract's validator, which neither coerces nor removes anything.
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: true,
        allErrors: false,
        strict: false,
      },
    },
  }) as unknown as FastifyInstance;

  if (compileSchema !== undefined) app.setValidatorCompiler(compileSchema);
  app.addHook('onReady', async () => {
    compileSchema ??= app.validatorCompiler;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    const parsed = parseJson(body as Buffer, { maxDepth: MAX_DEPTH });
    if (parsed.ok) done(null, parsed.value);
    else done(new RequestError('BAD_REQUEST', {}, { details: { findings: parsed.findings.slice(0, 20) } }));
  });
  app.setErrorHandler((error: FastifyError | RequestError, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendError(new RequestError('NOT_FOUND'), request, reply));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    // Clients compare it with their own clock before they remove anything (EE-25).
    reply.header('date', now().toUTCString());
  });
  let closing = false;
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('preClose', async () => {
    closing = true;
    // Browsers open connections in advance; Node would wait for unused ones as if they were busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });
  app.addHook('onSend', async (_request, reply) => {
    // A client that keeps its connection for later would keep the server from ending.
    if (closing) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    // The log has the route's pattern, not the address, which may hold private data.
    const route = request.routeOptions.url ?? 'unknown';
    request.log.info({ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) });
  });
  return app;
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers what is not an HTTP request in the form of TR-7; there is no reply object for it. */
function answerUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(toWire({ code: 'BAD_REQUEST', requestId: randomUUID(), locale: 'en' }));
  const head = [
    `HTTP/1.1 ${UNREADABLE[code ?? ''] ?? '400 Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function sendError(error: FastifyError | RequestError, request: FastifyRequest, reply: FastifyReply): void {
  const refused = toRequestError(error, request);
  const { status, code, params, cause, headers } = refused;
  if (status >= 500) request.log.error({ err: cause ?? refused }, 'request failed');
  const locale = readAcceptLanguage(request.headers['accept-language']);
  const wire = toWire({ code, params, requestId: request.id, locale });
  const details = status < 500 ? refused.details : undefined;
  reply
    .status(status)
    .headers(headers)
    .send({ ...details, ...wire });
}

/** Postgres cannot store U+0000, neither in text nor in jsonb. */
const UNSTORABLE: ReadonlySet<string> = new Set(['22021', '22P05']);

function toRequestError(error: FastifyError | RequestError, request: FastifyRequest): RequestError {
  if (error instanceof RequestError) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new RequestError('PAYLOAD_TOO_LARGE', { limit: request.routeOptions.bodyLimit });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new RequestError('BAD_REQUEST', {}, { status: 415 });
    case 'FST_ERR_VALIDATION':
      return new RequestError('BAD_REQUEST', {}, { details: { violations: violationsOf(error) } });
  }
  if (UNSTORABLE.has(error.code)) return new RequestError('BAD_REQUEST');
  if (isDatabaseOutage(error)) return new RequestError('UNAVAILABLE', {}, { cause: error });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new RequestError('BAD_REQUEST');
  return new RequestError('INTERNAL', {}, { cause: error });
}

/** Tells where the request is wrong and what was expected, but never what was sent. */
function violationsOf(error: FastifyError): unknown[] {
  return (error.validation ?? []).map(({ instancePath, keyword, params }) => ({
    in: error.validationContext,
    path: instancePath,
    keyword,
    params,
  }));
}
