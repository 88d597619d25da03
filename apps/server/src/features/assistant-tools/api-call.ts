import { apiHeaders, publicConfig } from '@cellfolio/contract';
import { bearerToken } from '@cellfolio/platform';
import type { FastifyInstance } from 'fastify';
import { toolCallHeaders } from '../../runtime/http/access.ts';
import { isPersonalKey } from '../accounts/index.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** The dataset of the call, which is open to callers without an account where it is that of the demo. */
  readonly dataset?: string;
  /** Its progress can be watched by it. */
  readonly requestId?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A call of `/api` with the credentials of the caller of a tool. Rejects when the signal aborts. */
export type ApiCall = (request: ApiRequest, signal: AbortSignal) => Promise<ApiResponse>;

export interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** The personal key of a call, or the token of a connected app, in either header. */
export function personalKeyOf({ apiKey, authorization }: Credentials): string | undefined {
  const token = bearerToken(authorization);
  return [apiKey, token].find((text) => text !== undefined && isPersonalKey(text));
}

/** A personal key is taken as a bearer token too, as many clients send nothing else; it needs no key of the site. */
function credentialHeaders({ apiKey, authorization }: Credentials, siteKey: string): Headers {
  const personal = personalKeyOf({ apiKey, authorization });
  if (personal !== undefined) return { [apiHeaders.apiKey]: personal };
  return { [apiHeaders.apiKey]: apiKey ?? siteKey, ...(authorization !== undefined && { authorization }) };
}

/** Tools name their dataset: nothing reads what is open in this session, which opening a dataset writes. */
const session = 'mcp';

function headersOf({ body, dataset, requestId }: ApiRequest, credentials: Headers): Headers {
  return {
    ...credentials,
    [apiHeaders.session]: session,
    ...(body && { 'content-type': 'application/json' }),
    ...(requestId !== undefined && { [apiHeaders.request]: requestId }),
    ...(dataset !== undefined && !('authorization' in credentials) && { [apiHeaders.demo]: dataset }),
  };
}

/** Calls within this process, from the address of the caller, whose limits apply. */
export function inProcess(
  app: Pick<FastifyInstance, 'inject'>,
  { siteKey, address, host }: { siteKey: string; address: string; host: string },
  credentials: Credentials,
): ApiCall {
  const own = credentialHeaders(credentials, siteKey);
  return async (request, signal) => {
    const answer = await app.inject({
      method: request.method,
      url: request.path,
      headers: { host, ...toolCallHeaders, ...headersOf(request, own) },
      ...(request.body && { payload: JSON.stringify(request.body) }),
      remoteAddress: address,
      payloadAsStream: true,
      signal,
    });
    return { status: answer.statusCode, body: answer.stream() };
  };
}

export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}

/** Calls a running server. Throws ServerUnreachable. */
export async function overHttp(url: string, apiKey: string | undefined): Promise<ApiCall> {
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(`${url}${path}`, { ...init, redirect: 'error' });
    } catch (cause) {
      init.signal?.throwIfAborted();
      const message = `No Cellfolio server answers at ${url}. Start it, or check --url.`;
      throw new ServerUnreachable(message, { cause });
    }
  };
  const { apiKey: siteKey } = publicConfig.parse(await (await ask('/config.json', {})).json());
  const own = credentialHeaders({ apiKey, authorization: undefined }, siteKey);
  return async (request, signal) => {
    const { method, path, body } = request;
    const answer = await ask(path, {
      method,
      headers: headersOf(request, own),
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    return { status: answer.status, body: answer.body ?? new ReadableStream() };
  };
}
