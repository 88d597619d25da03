import type { FastifyReply } from 'fastify';
import type { AuthError } from './auth-error.ts';
import type { SessionAnswer } from './sessions.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
// These schemes run code in the page that follows them.
const scripting = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:']);
const maxLength = 2_048;

/**
 * Target of a mailed link: the site itself (any port on loopback), or what the operator allows. Anything else silently
 * becomes the site's own address, so that our mails never send a session elsewhere.
 */
export function allowedTarget(
  siteUrl: string,
  requested: string | undefined,
  allowList: readonly string[] = [],
): string {
  if (!requested || requested.length > maxLength || !URL.canParse(requested)) return siteUrl;
  const site = new URL(siteUrl);
  const target = new URL(requested);
  if (target.username || target.password || scripting.has(target.protocol)) return siteUrl;
  const bothLoopback = loopback.has(site.hostname) && loopback.has(target.hostname);
  const same = target.protocol === site.protocol && (bothLoopback || target.host === site.host);
  if (same) return target.href;
  // The fragment is replaced anyway, and may hold anything.
  const bare = new URL(target);
  bare.hash = '';
  return allowList.some((glob) => globFits(glob, bare.href)) ? target.href : siteUrl;
}

/** `*` matches anything but a dot or slash, `**` anything, `?` one character that is neither. */
function globFits(glob: string, address: string): boolean {
  // A pattern without a path means the front page, which URL writes with a slash.
  const parts = glob.split(/(\*\*|\*|\?)/);
  const source = parts
    .map((part) => {
      if (part === '**') return '.*';
      if (part === '*') return '[^./]*';
      if (part === '?') return '[^./]';
      return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}/?$`, 'i').test(address);
}

export function withQuery(target: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(target);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** Redirects to an address that may hold secrets: it must not be cached, nor leak through the referrer. */
export function sendRedirect(reply: FastifyReply, status: 302 | 303, target: URL): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(target.href, status);
}

/** Target with a session in its fragment, which browsers send to no server. */
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
    // Marks the fragment as ours for clients.
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

/** Target with an error in its fragment and, for clients that exchange codes, in its query. */
export function withError(target: string, error: AuthError, { inQuery }: { inQuery: boolean }): URL {
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
