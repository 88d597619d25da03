import { z } from 'zod';
import { keyScope, type KeyScope } from './key-scopes.ts';

/** Scopes that an app may ask for: those of the tools for assistants but `export`, which takes a key of the user. */
export const appScopes = ['read', 'analyse'] as const satisfies readonly KeyScope[];
export type AppScope = (typeof appScopes)[number];

const parameter = z.string().max(2000).optional();

/** The parameters of an authorization request (OAuth 2.1, section 4.1.1), as the app sent them. */
export const appRequest = z
  .object({
    client_id: parameter.describe('Address of the metadata document of the app.'),
    redirect_uri: parameter.describe('One of the addresses that the document names.'),
    response_type: parameter.describe('`code`.'),
    code_challenge: parameter,
    code_challenge_method: parameter.describe('`S256`.'),
    scope: parameter.describe('Scopes, separated by spaces; absent for all that tools need.'),
    state: parameter.describe('Returned to the app as it is.'),
    resource: parameter.describe('Address of the tools, `/mcp` below that of the server.'),
  })
  .meta({ id: 'AppRequest' });
export type AppRequest = z.output<typeof appRequest>;

/** A valid request, for the user to decide about. */
export const describedApp = z
  .object({
    client_name: z.string().describe('The name that the app gives itself: nobody checked it.'),
    client_host: z.string().describe('Host of its metadata document.'),
    redirect_host: z.string().describe('Host that the answer goes to.'),
    on_this_device: z
      .boolean()
      .describe('The answer goes to a program on the device of the user, which any program there can be.'),
    scopes: z.array(keyScope).describe('Scopes that the app asks for.'),
    denied_address: z.string().describe('Where the browser goes when the user denies.'),
  })
  .meta({ id: 'DescribedApp' });
export type DescribedApp = z.output<typeof describedApp>;

export const appConsent = appRequest
  .extend({ scopes: z.array(keyScope).min(1).max(10).describe('Scopes that the user allows.') })
  .meta({ id: 'AppConsent' });

export const allowedApp = z
  .object({ allowed_address: z.string().describe('Where the browser goes, with a code for the app.') })
  .meta({ id: 'AllowedApp' });

/** `GET /api/connected-apps`. */
export const connectedApps = z
  .object({
    apps: z
      .array(
        z.object({
          id: z.uuid(),
          client_name: z.string(),
          client_host: z.string(),
          scopes: z.array(keyScope),
          connected_at: z.string(),
          last_used_at: z.string().nullable(),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'ConnectedApps' });
export type ConnectedApp = z.output<typeof connectedApps>['apps'][number];

export const disconnectedApp = z.object({ disconnected: z.literal(true) }).meta({ id: 'DisconnectedApp' });

/** Error of an authorization request that the app may be told of: `details` of `invalid_app_request`. */
export const appRequestProblem = z.object({ error_address: z.string() });
