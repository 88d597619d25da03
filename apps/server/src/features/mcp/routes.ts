import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { credentialsOf } from '../../runtime/http/access.ts';
import { NetworkLimit } from '../../runtime/http/network-limit.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { limits } from '../../runtime/limits/limits.ts';
import { inProcess } from './api-call.ts';

export interface McpServices {
  /** Undefined where the operator has switched it off. */
  mcp:
    | {
        /** The key of the web app, which calls without one are made with. */
        siteKey: string;
        /** Names of this server besides those of loopback; undefined where only a proxy knows them. */
        hosts: readonly string[] | undefined;
      }
    | undefined;
}

// Half a second and tens of megabytes, which only the first call needs.
const library = () => Promise.all([import('@modelcontextprotocol/server'), import('./tool-server.ts')]);

/** Refuses pages of other sites that a browser has open, or whose name leads to this machine. */
async function refuseForeign(
  hosts: readonly string[] | undefined,
  { host, headers }: FastifyRequest,
): Promise<void> {
  const [{ localhostAllowedHostnames, validateHostHeader, validateOriginHeader }] = await library();
  const own = [...(hosts ?? [URL.parse(`http://${host}`)?.hostname ?? '']), ...localhostAllowedHostnames()];
  if (validateHostHeader(host, own).ok && validateOriginHeader(headers.origin, own).ok) return;
  throw new ApiFailure(
    403,
    'foreign_site',
    'Tools answer under the address of this server alone, and to no page of another site. Call them under its SITE_URL.',
  );
}

const mcpRoute: Route<McpServices> = async (app, { services: { mcp } }) => {
  const calls = new NetworkLimit(
    limits.toolCalls.value,
    'Too many calls of tools from your network. Wait a minute.',
  );
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!mcp) {
      const message = 'The operator of this server has switched the tools for assistants off (MCP).';
      throw new ApiFailure(404, 'mcp_off', message);
    }
    await calls.count(request.ip);
    await refuseForeign(mcp.hosts, request);
    const [{ createMcpHandler }, { toolServer }] = await library();
    const { host, ip: address, clientGone: gone, log } = request;
    const handler = createMcpHandler(
      () =>
        toolServer({
          api: inProcess(app, { siteKey: mcp.siteKey, address, host }, credentialsOf(request)),
          gone,
          onCall: (ended) => log.info(ended, 'tool call'),
        }),
      // Nothing changes that a client could wait for.
      {
        maxSubscriptions: 0,
        onerror: (error) => log.debug({ err: error }, 'refused by the protocol'),
      },
    );
    const answer = await handler.fetch(webRequest(request), { parsedBody: request.body });
    return reply
      .status(answer.status)
      .headers(Object.fromEntries(answer.headers))
      .send(answer.body ? Readable.fromWeb(answer.body as never) : '');
  };
  // Progress is sent while a tool works.
  const config = { access: 'public', streams: true } as const;
  app.post('/mcp', { compress: false, config, schema: { hide: true, body: z.looseObject({}) } }, serve);
  app.route({ method: ['GET', 'DELETE'], url: '/mcp', config, schema: { hide: true }, handler: serve });
};

/** The request without its body, which has been parsed. */
function webRequest({ host, method, headers, clientGone: signal }: FastifyRequest): Request {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Request(`http://${host}/mcp`, { method, headers: texts, signal });
}

export const mcpRoutes = [mcpRoute];
