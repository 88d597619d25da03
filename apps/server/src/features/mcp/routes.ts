import { Readable } from 'node:stream';
import { createMcpHandler, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { credentialsOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { inProcess } from './api-call.ts';
import { toolServer } from './tool-server.ts';

export interface McpServices {
  /** Undefined where the operator has switched it off. */
  mcp:
    | {
        /** The key of the web app, which calls without one are made with. */
        siteKey: string;
        /** Names of this server; undefined where only a proxy knows them. */
        hosts: readonly string[] | undefined;
      }
    | undefined;
}

/** Another site that a browser has open, or whose name leads to this machine, gets no answer. */
function refuseForeign({ hosts }: NonNullable<McpServices['mcp']>, { host, headers }: FastifyRequest): void {
  const own = hosts ?? [new URL(`http://${host}`).hostname];
  const result =
    hosts && !validateHostHeader(host, [...own]).ok
      ? { ok: false }
      : validateOriginHeader(headers.origin, [...own]);
  if (result.ok) return;
  throw new ApiFailure(
    403,
    'foreign_site',
    'Tools answer under the address of this server alone, and to no page of another site. Call them under SITE_URL.',
  );
}

const mcpRoute: Route<McpServices> = async (app, { services: { mcp } }) => {
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!mcp)
      throw new ApiFailure(
        404,
        'mcp_off',
        'The operator of this server has switched tools of assistants off (MCP).',
      );
    refuseForeign(mcp, request);
    const { siteKey } = mcp;
    const { host, ip: address, clientGone: gone, log } = request;
    const handler = createMcpHandler(
      () =>
        toolServer({
          api: inProcess(app, { siteKey, address, host }, credentialsOf(request)),
          gone,
          onCall: (ended) => log.info(ended, 'tool call'),
        }),
      // Nothing changes that a client could wait for.
      { maxSubscriptions: 0, onerror: (error) => log.debug({ err: error }, 'refused by the protocol') },
    );
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined) headers.set(name, String(value));
    const answer = await handler.fetch(
      new Request(`http://${host}/mcp`, { method: request.method, headers, signal: gone }),
      { parsedBody: request.body },
    );
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

export const mcpRoutes = [mcpRoute];
