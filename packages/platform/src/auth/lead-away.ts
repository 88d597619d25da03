import type { FastifyReply } from 'fastify';
import type { AuthError } from './auth-error.ts';
import type { SessionAnswer } from './services/sessions.ts';

/** Redirects to an address that may hold secrets: nobody may keep it, and the next page's links must not tell it. */
export function leadAway(reply: FastifyReply, status: 302 | 303, target: URL): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(target.href, status);
}

/** The target with a session in its fragment, which browsers send to no server. */
export function withSession(
  target: string,
  session: SessionAnswer,
  more: Readonly<Record<string, string>>,
): URL {
  const url = new URL(target);
  url.hash = new URLSearchParams({
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    token_type: session.token_type,
    ...more,
    // Tells clients that the fragment is ours.
    sb: '',
  }).toString();
  return url;
}

const names: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** The target with an error in its fragment and, for clients that exchange codes, in its query. */
export function withError(target: string, error: AuthError, { inQuery }: { readonly inQuery: boolean }): URL {
  const url = new URL(target);
  const parameters = {
    error: names[error.status] ?? (error.status >= 500 ? 'server_error' : 'invalid_request'),
    error_code: error.code,
    error_description: error.message,
  };
  if (inQuery) for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.hash = new URLSearchParams({ ...parameters, sb: '' }).toString();
  return url;
}
