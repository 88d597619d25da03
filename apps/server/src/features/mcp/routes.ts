import { Readable } from 'node:stream';
import { appScopes, keyScopes } from '@cellfolio/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import {
  type AccessPolicy,
  type Credentials,
  credentialsOf,
  type DemoDataset,
  type Member,
  signInFirst,
} from '../../runtime/http/access.ts';
import { NetworkLimit } from '../../runtime/http/network-limit.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { limits } from '../../runtime/limits/limits.ts';
import { type CalledTool, inProcess, loadToolbox, personalKeyOf } from '../assistant-tools/index.ts';
import { challengeOf } from '../connected-apps/index.ts';
import type { ToolCalls } from '../tool-calls/index.ts';
import { ToolTasks } from './tool-tasks.ts';

export interface McpServices {
  /** Undefined where the operator has switched it off. */
  mcp:
    | {
        /** The key of the web app, which calls without one are made with. */
        siteKey: string;
        /** Names of this server besides those of loopback; undefined where only a proxy knows them. */
        hosts: readonly string[] | undefined;
        /** Calls that take longer become tasks; undefined where they do not, as in one of several processes. */
        tasksAfterMilliseconds: number | undefined;
      }
    | undefined;
  access: Pick<AccessPolicy, 'admit'>;
  /** Undefined where apps cannot sign in. */
  connectedApps: unknown;
  toolCalls: Pick<ToolCalls, 'add'>;
  siteUrl: string | undefined;
  demoDataset: DemoDataset | undefined;
}

type Headers = Readonly<Record<string, string>>;
type Challenge = (error?: Parameters<typeof challengeOf>[1]) => Headers;

// Half a second and tens of megabytes, which only the first call needs.
const library = () =>
  Promise.all([import('@modelcontextprotocol/server'), import('./tool-server.ts'), loadToolbox()]);

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

/**
 * The caller of tools; undefined without a key or token. Throws ApiFailure 401 for one that is not valid, by which an app
 * knows that it has to sign in again.
 */
async function callerOf(
  { access, connectedApps, siteKey }: Pick<McpServices, 'access' | 'connectedApps'> & { siteKey: string },
  { apiKey, authorization }: Credentials,
  headers: Headers,
): Promise<Member | undefined> {
  const personal = personalKeyOf({ apiKey, authorization });
  if (personal === undefined && authorization === undefined) return undefined;
  const sent =
    personal === undefined
      ? { apiKey: apiKey ?? siteKey, authorization }
      : { apiKey: personal, authorization: undefined };
  try {
    return await access.admit('member', { ...sent, ofTool: connectedApps !== undefined }, 'any');
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
    throw new ApiFailure(401, error.code, error.message, { headers });
  }
}

/**
 * Asks an app to sign in for a tool that needs an account, or to sign in again for one that its user did not allow. Others
 * are told by the result of the tool. Throws ApiFailure 401 or 403.
 */
function refuseUnsigned(
  { tool, filename }: CalledTool,
  {
    caller,
    demoDataset,
    challenge,
  }: Pick<McpServices, 'demoDataset'> & { caller: Member | undefined; challenge: Challenge },
): void {
  // Scopes that no app may have are refused by the tool: signing in again would not help.
  const mayAsk = appScopes.some((scope) => scope === tool.scope);
  if (caller?.toolsOnly && mayAsk && !caller.scopes?.includes(tool.scope)) {
    const message = `The app was not allowed to ${keyScopes[tool.scope].label.toLowerCase()}. Connect it again with this scope.`;
    throw new ApiFailure(403, 'scope_missing', message, {
      details: { scope: tool.scope },
      headers: challenge('insufficient_scope'),
    });
  }
  const isOpen =
    tool.visitors === 'all' ||
    (tool.visitors === 'demo' && demoDataset !== undefined && filename === demoDataset.id);
  if (!caller && !isOpen) {
    const { status, code, message } = signInFirst();
    throw new ApiFailure(status, code, message, { headers: challenge() });
  }
}

const mcpRoute: Route<McpServices> = async (app, { services }) => {
  const { mcp, access, connectedApps, toolCalls, siteUrl, demoDataset } = services;
  const calls = new NetworkLimit(
    limits.toolCalls.value,
    'Too many calls of tools from your network. Wait a minute.',
  );
  const afterMilliseconds = mcp?.tasksAfterMilliseconds;
  const onFailure = (err: unknown) => app.log.error({ err }, 'a task of a tool failed');
  const store = afterMilliseconds === undefined ? undefined : new ToolTasks({ afterMilliseconds, onFailure });
  app.addHook('onClose', async () => store?.close());
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!mcp) {
      const message = 'The operator of this server has switched the tools for assistants off (MCP).';
      throw new ApiFailure(404, 'mcp_off', message);
    }
    await calls.count(request.ip);
    await refuseForeign(mcp.hosts, request);
    const { host, ip: address, clientGone: gone, log } = request;
    const origin = siteUrl ?? `${request.protocol}://${host}`;
    const challenge: Challenge = (error) => (connectedApps ? challengeOf(origin, error) : {});
    const credentials = credentialsOf(request);
    const caller = await callerOf(
      { access, connectedApps, siteKey: mcp.siteKey },
      credentials,
      challenge('invalid_token'),
    );
    const [{ createMcpHandler }, { toolServer }, toolbox] = await library();
    const tool = toolbox.calledTool(request.body);
    if (tool && connectedApps) refuseUnsigned(tool, { caller, demoDataset, challenge });
    const handler = createMcpHandler(
      () =>
        toolServer(toolbox, {
          api: inProcess(app, { siteKey: mcp.siteKey, address, host }, credentials),
          origin,
          scopes: async () => caller?.scopes && new Set(caller.scopes),
          gone,
          tasks: store && { store, caller },
          onCall: async (ended) => {
            log.info(ended, 'tool call');
            if (!caller) return;
            await toolCalls
              .add(caller, tool?.filename ?? '', ended)
              .catch((err: unknown) => log.error({ err }, 'a tool call could not be recorded'));
          },
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
