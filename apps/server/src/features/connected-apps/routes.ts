import {
  allowedApp,
  appConsent,
  appRequest,
  appScopes,
  connectedApps,
  describedApp,
  disconnectedApp,
} from '@cellfolio/contract';
import type { FastifyError, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { memberOf } from '../../runtime/http/access.ts';
import { handleError } from '../../runtime/http/error-handler.ts';
import { NetworkLimit } from '../../runtime/http/network-limit.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { limits } from '../../runtime/limits/limits.ts';
import { checkRequest, isOwnResource, resourceOf } from './authorization-request.ts';
import { resourceMetadataPath } from './challenge.ts';
import { type ClientMetadata, isOnDevice } from './client-metadata.ts';
import { type ConnectedApps, type Tokens, TokensRefused } from './connected-apps.ts';

export interface ConnectedAppsServices {
  /** Undefined where the operator has switched it off. */
  connectedApps: { apps: ConnectedApps; clients: ClientMetadata } | undefined;
  siteUrl: string | undefined;
}

type Needs = ConnectedAppsServices;

/** The issuer, under whose address the app has found the server. */
function originOf(siteUrl: string | undefined, request: FastifyRequest): string {
  return siteUrl ?? `${request.protocol}://${request.host}`;
}

function enabled(services: Needs): NonNullable<Needs['connectedApps']> {
  if (services.connectedApps) return services.connectedApps;
  const message =
    'The operator of this server has switched the sign-in of apps off (OAUTH): use a personal key.';
  throw new ApiFailure(404, 'oauth_off', message);
}

const tags = ['account'];
const session = { access: 'session' } as const;
const refusals = { 404: 'The sign-in of apps is switched off.' };

/** The consent page: what an app asks for, and the answer of its user. */
const consentRoutes: Route<Needs> = async (app, { services }) => {
  app.post(
    '/api/app-requests',
    {
      config: { ...session, refusals },
      schema: {
        summary: 'Describe the app that asks for a sign-in',
        tags,
        body: appRequest,
        response: { 200: describedApp },
      },
    },
    async (request) => {
      const origin = originOf(services.siteUrl, request);
      const checked = await checkRequest(enabled(services).clients, origin, request.body);
      const redirect = new URL(checked.redirectUri);
      return {
        client_name: checked.client.name,
        client_host: new URL(checked.client.id).host,
        redirect_host: redirect.host,
        on_this_device: isOnDevice(redirect),
        scopes: [...checked.scopes],
        denied_address: checked.answerAddress({ error: 'access_denied' }),
      };
    },
  );
  app.post(
    '/api/connected-apps',
    {
      config: { ...session, refusals },
      schema: {
        summary: 'Let an app call the tools in your name',
        tags,
        body: appConsent,
        response: { 200: allowedApp },
      },
    },
    async (request) => {
      const { apps, clients } = enabled(services);
      const { scopes, ...parameters } = request.body;
      const checked = await checkRequest(clients, originOf(services.siteUrl, request), parameters);
      const allowed = checked.scopes.filter((scope) => scopes.includes(scope));
      if (allowed.length === 0) {
        const message = `scopes: Give some of ${checked.scopes.join(', ')}.`;
        throw new ApiFailure(400, 'invalid_request', message);
      }
      const code = await apps.allow(memberOf(request).userId, checked, allowed);
      return { allowed_address: checked.answerAddress({ code }) };
    },
  );
};

const listRoutes: Route<Needs> = async (app, { services }) => {
  app.get(
    '/api/connected-apps',
    {
      config: { ...session, refusals },
      schema: { summary: 'List your connected apps', tags, response: { 200: connectedApps } },
    },
    async (request) => ({ apps: await enabled(services).apps.list(memberOf(request).userId) }),
  );
  app.delete(
    '/api/connected-apps/:appId',
    {
      config: {
        ...session,
        refusals: { 404: 'No such app of yours, or the sign-in of apps is switched off.' },
      },
      schema: {
        summary: 'Disconnect an app',
        tags,
        params: z.object({ appId: z.uuid() }),
        response: { 200: disconnectedApp },
      },
    },
    async (request) => {
      const { userId } = memberOf(request);
      if (await enabled(services).apps.disconnect(userId, request.params.appId)) {
        return { disconnected: true as const };
      }
      throw new ApiFailure(404, 'app_not_found', 'There is no such app among your connected apps.');
    },
  );
};

/** Metadata of the tools as a protected resource (RFC 9728), and of this server, which signs in to them (RFC 8414). */
const metadataRoutes: Route<Needs> = async (app, { services }) => {
  const options = { config: { access: 'public' }, schema: { hide: true } } as const;
  const resource = async (request: FastifyRequest) => {
    enabled(services);
    const origin = originOf(services.siteUrl, request);
    return {
      resource: resourceOf(origin),
      authorization_servers: [origin],
      scopes_supported: appScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Cellfolio',
    };
  };
  app.get(resourceMetadataPath, options, resource);
  app.get(`${resourceMetadataPath}/mcp`, options, resource);
  app.get('/.well-known/oauth-authorization-server', options, async (request) => {
    enabled(services);
    const issuer = originOf(services.siteUrl, request);
    return {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: appScopes,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    };
  });
};

/** The parameters of a form. Throws TokensRefused for one that is there twice. */
function formOf(body: unknown): (name: string) => string | undefined {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  return (name) => {
    const [value, ...others] = form.getAll(name);
    if (others.length > 0) throw new TokensRefused('invalid_request', `${name} is there twice.`);
    return value === '' ? undefined : value;
  };
}

async function tokensFor(
  apps: ConnectedApps,
  origin: string,
  field: ReturnType<typeof formOf>,
): Promise<Tokens> {
  const needed = (name: string): string => {
    const value = field(name);
    if (value === undefined) throw new TokensRefused('invalid_request', `${name} is missing.`);
    return value;
  };
  if (!isOwnResource(field('resource'), origin)) {
    throw new TokensRefused('invalid_target', `resource must be ${resourceOf(origin)}.`);
  }
  const clientId = needed('client_id');
  switch (needed('grant_type')) {
    case 'authorization_code':
      return apps.redeem({
        clientId,
        code: needed('code'),
        redirectUri: needed('redirect_uri'),
        verifier: needed('code_verifier'),
      });
    case 'refresh_token':
      return apps.refresh({ clientId, token: needed('refresh_token') });
    default:
      throw new TokensRefused(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token.',
      );
  }
}

/** The token endpoint, and that of revocation. Apps have no secrets: a code is bound to its app by PKCE. */
const tokenRoutes: Route<Needs> = async (app, { services }) => {
  const calls = new NetworkLimit(
    limits.appTokenCalls.value,
    'Too many sign-ins of apps from your network. Wait a minute.',
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: unknown) => body,
  );
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (!(error instanceof TokensRefused)) return handleError(error, request, reply);
    return reply.status(400).send({ error: error.error, error_description: error.message });
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    await calls.count(request.ip);
  });
  const options = { config: { access: 'public' }, bodyLimit: 16 * 1024, schema: { hide: true } } as const;
  app.post('/oauth/token', options, async (request) =>
    tokensFor(enabled(services).apps, originOf(services.siteUrl, request), formOf(request.body)),
  );
  app.post('/oauth/revoke', options, async (request) => {
    const field = formOf(request.body);
    await enabled(services).apps.revokeToken(field('token') ?? '', field('client_id') ?? '');
    return {};
  });
};

export const connectedAppRoutes = [consentRoutes, listRoutes, metadataRoutes, tokenRoutes];
