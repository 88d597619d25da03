import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'jose';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AuthError } from '../auth/auth-error.ts';
import type { LimiterFactory } from '../auth/rate-limits.ts';
import type { Database } from '../database/database.ts';
import { SecondStepPending } from '../database/errors.ts';
import { allowOtherOrigins } from '../gateway/service-scope.ts';
import { type Admission, NotAdmitted, network } from '../gateway/admission.ts';
import { GatewayError } from '../gateway/key-tokens.ts';
import type { CallerResolver, ResolvedCaller } from '../auth/resolve-caller.ts';
import { takeTurns } from '../gateway/service-admissions.ts';
import { AnswerStore } from './answer-store.ts';
import { databaseRefusal, RestError } from './rest-error.ts';
import type { RestAnswer } from './rest-answer.ts';
import { type RestMethod, restSettings, type RestSettingsInput } from './rest-request.ts';
import { RestService, wrongMethod } from './rest-service.ts';
import { SchemaCache } from './database-schema.ts';

interface RestPluginOptions {
  database: Database;
  callers: CallerResolver;
  /** Admission queue; if absent, calls run at once. */
  calls?: Admission;
  settings?: RestSettingsInput;
  /** Folder for long responses while they are sent; default a system folder. */
  scratchFolder?: string;
  /** Counters of visitors' writes: default in memory; false for no limit. */
  makeLimiter?: LimiterFactory | false;
  /** Take a visitor's address from the forwarding header that the Fastify instance trusts. */
  trustProxy?: boolean;
  now?: () => number;
}

/**
 * Tables and functions of the database over HTTP, compatible with PostgREST; mount at `/rest/v1`. Grants and row-level
 * security inside the database decide access: each request runs under its caller's role.
 */
export const restPlugin: FastifyPluginAsync<RestPluginOptions> = async (app, options) => {
  const settings = restSettings.parse(options.settings ?? {});
  const { database, callers } = options;
  const cache = new SchemaCache(database, { schema: settings.schema, now: options.now ?? Date.now });
  const store = new AnswerStore({
    folder: options.scratchFolder ?? join(tmpdir(), 'rest-answers'),
    ownerBytes: 2 * settings.answerBytes,
    totalBytes: 8 * settings.answerBytes,
  });
  const service = new RestService(database, cache, settings, store);
  const visitors =
    options.makeLimiter === false
      ? undefined
      : createVisitorLimit(settings.visitorWrites, options.makeLimiter);
  const who = new WeakMap<FastifyRequest, ResolvedCaller>();

  allowOtherOrigins(app);
  takeBodiesAsText(app);
  app.addHook('onRequest', async (request, reply) => {
    // Rows must not be cached.
    reply.header('cache-control', 'no-store');
    if (request.routeOptions.config.open) return;
    const { apikey, authorization } = request.headers;
    // Before the body is read: unauthenticated bodies are not awaited.
    const caller = await callers.resolveCaller({
      apikey: typeof apikey === 'string' ? apikey : undefined,
      authorization,
      userAgent: request.headers['user-agent'],
      // As PostgREST allows.
      toleratedSeconds: 30,
    });
    who.set(request, caller);
    if (caller.role === 'anon' && request.method !== 'GET' && request.method !== 'HEAD') {
      const address = options.trustProxy ? request.ip : request.socket.remoteAddress;
      await visitors?.countWrite(address ?? '0.0.0.0');
      checkVisitorsBody(request, settings.visitorBodyBytes);
    }
  });
  if (options.calls) {
    const callerOf = (request: FastifyRequest) => who.get(request);
    takeTurns(app, { admission: options.calls, callerOf, trustProxy: options.trustProxy ?? false });
  }
  app.setErrorHandler((error, request, reply) => sendError(error, who.get(request), request, reply));

  app.route({
    method: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    url: '/*',
    bodyLimit: settings.bodyBytes,
    handler: async (request, reply) => {
      const { raw, headers, method } = request;
      const url = raw.url ?? '/';
      checkContentType(request);
      const answer = await service.answer(
        {
          method: method as RestMethod,
          path: pathBehind(app.prefix, url),
          url,
          headers,
          body: typeof request.body === 'string' ? request.body : '',
        },
        who.get(request)!,
      );
      return send(answer, reply);
    },
  });
  app.put('/*', async (request) => {
    throw wrongMethod(request.method);
  });
};

function send({ status, headers, body }: RestAnswer, reply: FastifyReply): FastifyReply {
  void reply.code(status).headers(headers);
  if (typeof body === 'string') return reply.send(body);
  if (reply.raw.destroyed) {
    // The client disconnected during the query.
    body.release();
    return reply.send('');
  }
  // Also if the client disconnects before anything was sent.
  reply.raw.once('close', () => body.release());
  return reply.header('content-length', body.length).send(body.read());
}

/** JSON goes to the database unchanged; parsing it here would cost large numbers their digits. */
function takeBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

/** Checks the headers before the body is read. Throws RestError 411 or 413. */
function checkVisitorsBody({ headers }: FastifyRequest, maxBytes: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (encoding !== undefined) {
    throw new RestError(411, 'PGRST102', 'The length of the body is missing', {
      hint: 'Send a Content-Length, or sign in.',
    });
  }
  if (Number(length ?? 0) <= maxBytes) return;
  throw new RestError(413, 'PGRST102', 'The body is too large', {
    hint: `Visitors can send at most ${maxBytes} bytes.`,
  });
}

function checkContentType({ method, headers, body }: FastifyRequest): void {
  if (method !== 'POST' && method !== 'PATCH') return;
  const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase();
  if (type === undefined || type === '' || /^application\/(?:[\w.+-]+\+)?json$/.test(type)) return;
  if (body === undefined || body === '') return;
  throw new RestError(415, 'PGRST102', `Content-Type not acceptable: ${type.slice(0, 200)}`, {
    hint: 'Send application/json.',
  });
}

/** Path after the mount point, whatever prefix the platform is mounted at. */
function pathBehind(prefix: string, url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function sendError(
  error: unknown,
  caller: ResolvedCaller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof GatewayError) {
    return reply.code(error.status).send({ message: error.message, hint: error.hint });
  }
  const refusal = refusalOf(error, caller, request);
  const { status, code, message, details, hint, headers } = refusal;
  if (status >= 500 && !(error instanceof NotAdmitted))
    request.log.error({ err: error }, 'rest request failed');
  return reply
    .code(status)
    .headers(headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ code, message, details, hint }));
}

function refusalOf(error: unknown, caller: ResolvedCaller | undefined, request: FastifyRequest): RestError {
  if (error instanceof RestError) return error;
  if (error instanceof AuthError && error.code === 'bad_jwt') return badToken(error);
  if (error instanceof SecondStepPending) {
    return new RestError(403, 'insufficient_aal', error.message, { cause: error });
  }
  if (error instanceof NotAdmitted) return tooManyCalls(error);
  const refusal = databaseRefusal(error, { anonymous: caller?.role === 'anon' });
  if (refusal) return refusal;
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode === 413) {
    return new RestError(413, 'PGRST102', 'The body is too large', {
      hint: `At most ${request.routeOptions.bodyLimit} bytes are accepted.`,
    });
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new RestError(statusCode, 'PGRST102', 'The request cannot be read');
  }
  return new RestError(500, 'PGRSTX00', 'Something went wrong here. Please try again.');
}

/** Uses a code of our own for a user limit, and PostgREST's code for a connection timeout for the server limit. */
function tooManyCalls(error: NotAdmitted): RestError {
  const mine = error.whose === 'user';
  return new RestError(mine ? 429 : 503, mine ? 'over_request_rate_limit' : 'PGRST003', error.message, {
    hint: 'Nothing was changed; send it again.',
    headers: { 'retry-after': String(error.retryAfterSeconds) },
    cause: error,
  });
}

function badToken(error: AuthError): RestError {
  const expired = error.cause instanceof errors.JWTExpired;
  const message = expired ? 'JWT expired' : error.message;
  return new RestError(401, expired ? 'PGRST303' : 'PGRST301', message, {
    headers: {
      // No sentence of ours holds a quote.
      'www-authenticate': `Bearer error="invalid_token", error_description="${message}"`,
    },
  });
}

/** Limits writes of visitors without an account: their contact messages stay in the database. */
interface VisitorLimit {
  /** Counts one write; throws RestError 429 beyond the limit. */
  countWrite(address: string): Promise<void>;
}

const window = 300;

/** `writes` per network and five minutes. */
function createVisitorLimit(
  writes: number,
  makeLimiter: LimiterFactory = (options) => new RateLimiterMemory(options),
): VisitorLimit {
  const limiter = makeLimiter({ keyPrefix: 'visitorWrites', points: writes, duration: window });
  return {
    countWrite: async (address) => {
      try {
        await limiter.consume(network(address));
      } catch (cause) {
        if (!(cause instanceof RateLimiterRes)) throw cause;
        throw new RestError(429, 'over_request_rate_limit', 'Too many requests from this network', {
          hint: 'Wait a few minutes, or sign in.',
          headers: { 'retry-after': String(Math.max(1, Math.ceil(cause.msBeforeNext / 1000))) },
        });
      }
    },
  };
}
