import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

export interface LocationOptions {
  /** Where browsers reach the platform. */
  readonly publicUrl: string;
  readonly trustProxy: boolean;
}

/**
 * The absolute address of a path of ours as the caller reaches us: at the host that it asked for, behind a proxy that is
 * trusted at the one that the proxy was asked for. A public address on that host also knows whether it is https.
 */
export function absoluteUrl(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  path: string,
  { publicUrl, trustProxy }: LocationOptions,
): string {
  const known = new URL(publicUrl);
  const base = known.pathname.replace(/\/+$/, '');
  const {
    host: asked,
    'x-forwarded-host': forwardedHost,
    'x-forwarded-proto': forwardedProto,
  } = request.headers;
  const host = (trustProxy && first(forwardedHost)) || asked || known.host;
  const forwarded = trustProxy ? first(forwardedProto) : undefined;
  let scheme = (request.socket as Partial<TLSSocket>).encrypted ? 'https' : 'http';
  if (forwarded === 'http' || forwarded === 'https') scheme = forwarded;
  else if (host === known.host) scheme = known.protocol.slice(0, -1);
  // A host that is none would make an address that points anywhere.
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`${scheme}://${host}`)
    ? `${scheme}://${host}${base}${path}`
    : `${known.origin}${base}${path}`;
}

function first(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(',')[0]?.trim();
}
