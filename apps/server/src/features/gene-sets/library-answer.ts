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
  /** Which addresses are not of the public internet. */
  readonly isPrivate?: (address: string) => boolean;
}

/**
 * The answer to a GET, after redirects. A redirect never leads from https to http, nor from the public internet
 * to a private address: that is checked on the very address that the connection is made to, so that a name
 * that resolves differently a second time gains nothing. Throws ForbiddenRedirect and errors of the connection.
 */
export async function openAnswer(
  address: URL,
  { headers, signal, isPrivate = isPrivateAddress }: AnswerRequest,
): Promise<{ answer: IncomingMessage; address: URL }> {
  let at = address;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    // A base address on the operator's own network may redirect within it.
    const guarded = at.host !== address.host && !(await leadsToPrivate(address, isPrivate));
    const answer = await get(at, { headers, signal }, guarded ? isPrivate : undefined);
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

async function get(
  address: URL,
  { headers, signal }: Pick<AnswerRequest, 'headers' | 'signal'>,
  forbidden: ((address: string) => boolean) | undefined,
): Promise<IncomingMessage> {
  const host = bareHost(address);
  if (forbidden && isIP(host) !== 0 && forbidden(host)) {
    throw new ForbiddenRedirect(address.origin, 'which is a private address');
  }
  const request = address.protocol === 'https:' ? requestHttps : requestHttp;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // Its own connection: one kept open from before was made without the check.
    const guard = forbidden && { lookup: lookupWithout(forbidden), agent: false };
    const asked = request(address, { headers, ...guard }, (answer) => {
      end = () => answer.destroy();
      resolve(answer);
    });
    // Without an error, and so not by the option of the request: an error that meets a connection between
    // two owners has no listener and ends the process. Whoever waits or reads is told of the early end.
    let end: () => unknown = () => asked.destroy();
    const cancel = () => end();
    signal.addEventListener('abort', cancel, { once: true });
    asked
      .on('error', reject)
      .on('close', () => signal.removeEventListener('abort', cancel))
      .end();
  });
}

/** DNS that refuses a name with a forbidden address among its own. */
function lookupWithout(forbidden: (address: string) => boolean): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error) done(error, []);
      else if (!first || addresses.some(({ address }) => forbidden(address))) {
        done(new ForbiddenRedirect(host, 'which is a private address'), []);
      } else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Whether a base address, which the operator chose, is on a private network. */
function leadsToPrivate(address: URL, isPrivate: (address: string) => boolean): Promise<boolean> {
  const host = bareHost(address);
  if (isIP(host) !== 0) return Promise.resolve(isPrivate(host));
  return new Promise((resolve) => {
    // A base that does not resolve (behind a proxy, say) counts as public: the stricter rule.
    lookup(host, { all: true }, (error, addresses) =>
      resolve(!error && addresses.length > 0 && addresses.every((one) => isPrivate(one.address))),
    );
  });
}

function bareHost(address: URL): string {
  return address.hostname.replace(/^\[|\]$/g, '');
}
