import { createHash, randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { FastifyBaseLogger } from 'fastify';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { IdentityProvider } from '../oauth/identity-provider.ts';
import type { CodeChallenge } from './code-challenge.ts';
import { beginFlow } from './flow-state.ts';

export interface DepartureRequest {
  readonly provider: string;
  readonly scopes: string;
  /** Where the browser goes in the end; allowed already. */
  readonly redirectTo: string;
  readonly challenge: CodeChallenge | undefined;
  readonly extras: ReadonlyMap<string, string>;
  /** What the browser keeps in a cookie. */
  readonly browser: string;
  /** The signed-in account that the provider's one is to be joined to. */
  readonly linkingUserId?: string;
}

/** The provider of that name. Throws AuthError 400 `validation_failed`. */
export function providerNamed(context: AuthContext, name: string): IdentityProvider {
  const provider = context.providers.get(name);
  if (provider) return provider;
  throw new AuthError(400, 'validation_failed', 'Unsupported provider: provider is not enabled');
}

/** Where providers send browsers back to; to be registered with each of them. */
export function callbackUrl(context: AuthContext): string {
  return `${context.publicUrl}/auth/v1/callback`;
}

/** The address at the provider that the browser goes to. Throws AuthError. */
export async function depart(
  context: AuthContext,
  request: DepartureRequest,
  log: FastifyBaseLogger,
): Promise<URL> {
  const provider = providerNamed(context, request.provider);
  const state = randomState();
  const nonce = randomNonce();
  const codeVerifier = randomPKCECodeVerifier();
  const codeChallenge = await calculatePKCECodeChallenge(codeVerifier);
  const { scopes, extras } = request;
  const redirectUri = callbackUrl(context);
  const url = await provider
    .depart({ redirectUri, state, nonce, codeChallenge, scopes, extras })
    .catch((cause: unknown) => {
      log.error({ err: cause, provider: request.provider }, 'identity provider cannot be reached');
      throw new AuthError(
        500,
        'unexpected_failure',
        `${request.provider} cannot be reached now. Please try again later, or sign in another way.`,
        { cause },
      );
    });
  await context.database.transaction(async (client) => {
    const { challenge } = request;
    const id = await beginFlow(client, context, { challenge, provider: request.provider, method: 'oauth' });
    await client.query(
      `update auth.flow_state set state_hash = $2, browser_hash = $3, provider_nonce = $4, provider_verifier = $5,
         redirect_to = $6, linking_user_id = $7
       where id = $1`,
      [
        id,
        secretHash(state),
        secretHash(request.browser),
        nonce,
        codeVerifier,
        request.redirectTo,
        request.linkingUserId ?? null,
      ],
    );
  });
  return url;
}

/** What ties a sign-in to the browser that began it. */
export function randomBrowser(): string {
  return randomBytes(24).toString('base64url');
}

export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
