import { type AppRequest, type AppScope, appScopes } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { type AppClient, type ClientMetadata, isRedirectOf } from './client-metadata.ts';

/** An authorization request that was checked. */
export interface CheckedRequest {
  client: AppClient;
  redirectUri: string;
  resource: string;
  challenge: string;
  /** Scopes that the app asks for and that there are. */
  scopes: readonly AppScope[];
  /** The address of the app, with the parameters of an answer. */
  answerAddress(parameters: Readonly<Record<string, string>>): string;
}

/** The resource of tokens: the tools of a server. */
export function resourceOf(origin: string): string {
  return `${origin}/mcp`;
}

/** Whether a `resource` parameter, if there is one, names the tools of this server. */
export function isOwnResource(resource: string | undefined, origin: string): boolean {
  return resource === undefined || URL.parse(resource)?.href === resourceOf(origin);
}

/**
 * Checks an authorization request (OAuth 2.1, section 4.1.1) of an app to the server at `origin`. Throws ApiFailure 400:
 * `invalid_client` and `invalid_redirect` where nothing may be sent to the app, else `invalid_app_request` with the
 * address that tells the app.
 */
export async function checkRequest(
  clients: ClientMetadata,
  origin: string,
  request: AppRequest,
): Promise<CheckedRequest> {
  const client = await clients.clientOf(request.client_id ?? '');
  const redirectUri = request.redirect_uri ?? '';
  if (!isRedirectOf(client, redirectUri)) {
    const message = `The app cannot be connected: its metadata document does not name the address ${redirectUri.slice(0, 300)}, or it is neither https nor on your device.`;
    throw new ApiFailure(400, 'invalid_redirect', message);
  }
  const answerAddress: CheckedRequest['answerAddress'] = (parameters) => {
    const address = new URL(redirectUri);
    const state = request.state === undefined ? {} : { state: request.state };
    // The issuer tells the app which server answers (RFC 9207).
    const all = Object.entries({ ...parameters, ...state, iss: origin });
    for (const [name, value] of all) address.searchParams.set(name, value);
    return address.href;
  };
  const refuse = (error: string, description: string): ApiFailure => {
    const details = { error_address: answerAddress({ error, error_description: description }) };
    return new ApiFailure(400, 'invalid_app_request', `The request of the app is wrong: ${description}`, {
      details,
    });
  };
  const { response_type, code_challenge: challenge = '', code_challenge_method, resource, scope } = request;
  if (response_type !== 'code') throw refuse('unsupported_response_type', 'response_type must be code.');
  if (code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    throw refuse('invalid_request', 'PKCE with code_challenge_method S256 is required.');
  }
  if (!isOwnResource(resource, origin)) {
    throw refuse('invalid_target', `resource must be ${resourceOf(origin)}.`);
  }
  const names = scope?.split(' ').filter(Boolean);
  const scopes = appScopes.filter((one) => names?.includes(one) ?? true);
  if (scopes.length === 0) throw refuse('invalid_scope', `scope must name some of ${appScopes.join(' ')}.`);
  return { client, redirectUri, resource: resourceOf(origin), challenge, scopes, answerAddress };
}
