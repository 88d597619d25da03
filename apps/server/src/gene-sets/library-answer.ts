import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from './private-address.ts';

const mostRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** An address that is not fetched from, although the publisher pointed there. */
export class ForbiddenRedirect extends Error {
  override readonly name = 'ForbiddenRedirect';
  readonly address: string;

  constructor(address: string, reason: string) {
    super(`the publisher redirects to ${address}, ${reason}`);
    this.address = address;
  }
}

export interface AnswerRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * The answer to a GET, after redirects. A redirect never leads from https to http, nor from the public internet
 * to a private address: that is checked on the very address that the connection is made to, so that a name
 * that resolves differently a second time gains nothing. Throws ForbiddenRedirect and errors of the connection.
 */
export async function openAnswer(
  address: URL,
  { headers, signal }: AnswerRequest,
): Promise<{ answer: IncomingMessage; address: URL }> {
  let at = address;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    // A base address on the operator's own network may redirect within it.
    const guarded = at.host !== address.host && !(await leadsToPrivate(address));
    const answer = await get(at, headers, signal, guarded);
    if (!redirects.has(answer.statusCode ?? 0) || !answer.headers.location) return { answer, address: at };
    answer.destroy();
    const next = URL.parse(answer.headers.location, at.href);
    if (!next || !['http:', 'https:'].includes(next.protocol)) {
      throw new ForbiddenRedirect(answer.headers.location, 'which is no http address');
    }
    if (at.protocol === 'https:' && next.protocol === 'http:') {
      throw new ForbiddenRedirect(next.origin, 'which is not encrypted');
    }
    at = next;
  }
  throw new ForbiddenRedirect(at.origin, `after ${mostRedirects} other redirects`);
}

function get(
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  guarded: boolean,
): Promise<IncomingMessage> {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  if (guarded && isIP(host) !== 0 && isPrivateAddress(host)) {
    return Promise.reject(new ForbiddenRedirect(address.origin, 'which is a private address'));
  }
  const request = address.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(address, { headers, signal, ...(guarded && { lookup: publicLookup }) }, resolve)
      .once('error', reject)
      .end();
  });
}

/** DNS that knows no private addresses. */
const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const forbidden = error ?? addresses.some(({ address }) => isPrivateAddress(address));
    const [first] = addresses ?? [];
    if (error) done(error, []);
    else if (forbidden || !first) done(new ForbiddenRedirect(host, 'which is a private address'), []);
    else if (options.all) done(null, addresses);
    else done(null, first.address, first.family);
  });
};

/** Whether a base address, which the operator chose, is on a private network. */
function leadsToPrivate(address: URL): Promise<boolean> {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return Promise.resolve(isPrivateAddress(host));
  return new Promise((resolve) => {
    // A base that does not resolve (behind a proxy, say) counts as public: the stricter rule.
    lookup(host, { all: true }, (error, addresses) =>
      resolve(!error && addresses.length > 0 && addresses.every((one) => isPrivateAddress(one.address))),
    );
  });
}
