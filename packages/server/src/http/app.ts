import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
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
import type { Refused } from '../log/refusal-log.ts';
import { isDatabaseOutage, isDiskFailure } from '../storage/outage.ts';
import { noteBodyLength } from './body-length.ts';
import { ANONYMOUS, accountOf, type Caller } from './caller.ts';
import { createProxyCheck, readAddress } from './client-address.ts';
import { limitConnections } from './connections.ts';
import type { Intake } from './intake.ts';
import { endWith } from './raw-reply.ts';
import { RequestError } from './request-error.ts';

export interface AppOptions {
  readonly log: Logger;
  /** Bodies are parsed in turns by account. */
  readonly intake: Intake;
  /** Addresses whose forwarded headers are trusted; none by default. */
  readonly trustedProxies: readonly string[];
  /** Connections at a time, of which one network holds at most a third. */
  readonly maxConnections?: number | undefined;
  /** How long the headers of a request may take. */
  readonly headersTimeoutMs?: number | undefined;
  readonly now: () => Date;
  /** The address that people use; with HTTPS, browsers are told never to come without it (OP-14). */
  readonly publicUrl: string;
  /** Called each time that a limit refuses a request or a connection, with what else the log may say of it. */
  readonly onRefused: (refused: Refused, details?: object) => void;
}

const MAX_CONNECTIONS = 20_000;
/** A year. Not for other names below this one: they may belong to others. */
const HSTS = 'max-age=31536000';
const NETWORK_SHARE = 1 / 3;
const HEADERS_TIMEOUT_MS = 10_000;

/** A manifest may nest 128 deep (CM-7), and comes wrapped in a body. */
const MAX_DEPTH = 130;

/** What handling a request costs besides parsing its body, in bytes parsed: with its queries about a millisecond. */
const REQUEST_COST = 8 * 1024;

/** Keeps what it has compiled: for a second server of one process, as in tests, the contracts cost nothing. */
let compileSchema: FastifyInstance['validatorCompiler'];

/** Creates the HTTP server without routes: request ids, strict JSON, and errors in the form of TR-7. */
export function createApp(options: AppOptions): FastifyInstance {
  const { log, intake, trustedProxies, maxConnections = MAX_CONNECTIONS, now, onRefused } = options;
  const isHttps = options.publicUrl.startsWith('https:');
  const { headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  const app = fastify({
    loggerInstance: log,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: 1024 * 1024,
    // The id of a passkey has up to 1,023 bytes.
    routerOptions: { maxParamLength: 1_400 },
    // Also counts while a request waits for its turn (OP-3): who is closed then hears nothing.
    connectionTimeout: 120_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // Node looks every half minute by default, which is how long a slow connection would have on top of its time.
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs) },
    return503OnClosing: true,
    // An address that the router itself cannot read never reaches the error handler.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendError(error, request as FastifyRequest, reply as FastifyReply);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answerUnreadable(error, socket, onRefused),
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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    noteBodyLength(request, body.length);
    const { caller = ANONYMOUS } = request as FastifyRequest & { readonly caller?: Caller };
    // Strangers share one turn: addresses cost them nothing, and those who are signed in must not wait behind each.
    const account = caller.kind === 'anonymous' ? ANONYMOUS.kind : accountOf(caller);
    intake.add(account, body.length + REQUEST_COST, () => {
      const parsed = parseJson(body as Buffer, { maxDepth: MAX_DEPTH });
      if (parsed.ok) done(null, parsed.value);
      else done(new RequestError('BAD_REQUEST', {}, { details: { findings: parsed.findings.slice(0, 20) } }));
    });
  });
  app.setErrorHandler((error: FastifyError | RequestError, request, reply) => {
    const limit = error instanceof RequestError ? error.limit : undefined;
    if (limit !== undefined) {
      const { method, ip: client } = request;
      const details = { method, route: routeOf(request), status: (error as RequestError).status };
      onRefused({ limit, ...accountIn(request), client }, details);
      refused.add(request);
    }
    sendError(error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => sendError(new RequestError('NOT_FOUND'), request, reply));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    if (isHttps) reply.header('strict-transport-security', HSTS);
    // Clients compare it with their own clock before they remove anything (EE-25).
    reply.header('date', now().toUTCString());
  });
  const refused = new WeakSet<FastifyRequest>();
  limitConnections(app.server as Server, {
    max: maxConnections,
    perNetwork: Math.max(1, Math.floor(maxConnections * NETWORK_SHARE)),
    isProxy: createProxyCheck(trustedProxies),
    onClosed: (client) => onRefused({ limit: 'open_connections', client }),
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, ip: client } = request;
    const ms = Math.round(reply.elapsedTime);
    const line = { method, route: routeOf(request), status: reply.statusCode, ms, client };
    // What a limit refused has lines of its own, fewer than there are requests.
    if (refused.has(request)) request.log.debug(line);
    else request.log.info(line);
  });
  return app;
}

/** The route's pattern, not the address, which may hold private data. */
const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? 'unknown';

/** Whom the limit refused, if they have said who they are. */
function accountIn(request: FastifyRequest): { readonly account?: string } {
  const { caller = ANONYMOUS } = request as FastifyRequest & { readonly caller?: Caller };
  return caller.kind === 'anonymous' ? {} : { account: accountOf(caller) };
}

const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is not an HTTP request, or not a whole one in time (OP-7). */
function answerUnreadable({ code }: NodeJS.ErrnoException, socket: Socket, onRefused: AppOptions['onRefused']): void {
  if (code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = UNREADABLE[code ?? ''] ?? 400;
  const limit = status === 408 ? 'request_timeout' : 'unreadable_requests';
  onRefused({ limit, client: readAddress(socket) }, { status });
  endWith(socket, status, 'BAD_REQUEST');
}

function sendError(error: FastifyError | RequestError, request: FastifyRequest, reply: FastifyReply): void {
  const refused = toRequestError(error, request);
  const { status, code, params, cause, headers } = refused;
  if (status >= 500) request.log.error({ err: cause ?? refused }, 'request failed');
  const locale = readAcceptLanguage(request.headers['accept-language']);
  const wire = toWire({ code, params, requestId: request.id, locale });
  // What went wrong inside is nobody's business; what a refusal says about itself was chosen to be said.
  const details = code === 'INTERNAL' ? undefined : refused.details;
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
  if (isDatabaseOutage(error) || isDiskFailure(error)) return new RequestError('UNAVAILABLE', {}, { cause: error });
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
