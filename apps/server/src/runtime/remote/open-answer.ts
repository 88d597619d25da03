import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, BlockList } from 'node:net';

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** The publisher redirected to an address that must not be fetched. */
export class ForbiddenRedirect extends Error {
  override readonly name = 'ForbiddenRedirect';
  readonly address: string;

  constructor(address: string, reason: string, how = 'the publisher redirects to') {
    super(`${how} ${address}, ${reason}`);
    this.address = address;
  }
}

/** An address for display and storage: without the user name and password that a mirror may require. */
export function shownAddress(address: string): string {
  const shown = new URL(address);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

interface AnswerRequest {
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  isPrivate?: (address: string) => boolean;
  /**
   * For an address given by a user: which origins may be private. All others must be public, including the first one.
   * When absent, the address is the operator's choice.
   */
  mayBePrivate?: ((address: URL) => boolean) | undefined;
  /** Default: five. */
  redirects?: number;
}

/**
 * The response to a GET, after redirects. A redirect never leads from https to http, nor from the public internet to a
 * private address: the check uses the very address of the connection, so that a name that resolves differently a second
 * time gains nothing. Throws ForbiddenRedirect and errors of the connection.
 */
export async function openAnswer(
  address: URL,
  {
    headers,
    signal,
    isPrivate = isPrivateAddress,
    mayBePrivate,
    redirects: redirectLimit = maxRedirects,
  }: AnswerRequest,
): Promise<{ answer: IncomingMessage; address: URL }> {
  let at = address;
  for (let hop = 0; hop <= redirectLimit; hop++) {
    const how = hop === 0 ? 'the link leads to' : undefined;
    // A base address on the operator's own network may redirect within it.
    const guarded =
      mayBePrivate === undefined
        ? at.host !== address.host && !(await leadsToPrivate(address, isPrivate))
        : !mayBePrivate(at);
    const answer = await get(at, { headers, signal }, guarded ? { forbidden: isPrivate, how } : undefined);
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
  throw new ForbiddenRedirect(at.origin, `after ${redirectLimit} other redirects`);
}

interface Guard {
  forbidden: (address: string) => boolean;
  how: string | undefined;
}

async function get(
  address: URL,
  { headers, signal }: Pick<AnswerRequest, 'headers' | 'signal'>,
  guarding: Guard | undefined,
): Promise<IncomingMessage> {
  const host = bareHost(address);
  if (guarding && isIP(host) !== 0 && guarding.forbidden(host)) {
    throw new ForbiddenRedirect(address.origin, 'which is a private address', guarding.how);
  }
  const request = address.protocol === 'https:' ? requestHttps : requestHttp;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // Its own connection: one kept open from before was made without the check.
    const guard = guarding && { lookup: lookupWithout(guarding), agent: false };
    const clientRequest = request(address, { headers, ...guard }, (answer) => {
      end = () => answer.destroy();
      resolve(answer);
    });
    // Without an error, and so not by the option of the request: an error that meets a connection between
    // two owners has no listener and ends the process. Whoever waits or reads is told of the early end.
    let end: () => unknown = () => clientRequest.destroy();
    const cancel = () => end();
    signal.addEventListener('abort', cancel, { once: true });
    clientRequest
      .on('error', reject)
      .on('close', () => signal.removeEventListener('abort', cancel))
      .end();
  });
}

/** A DNS lookup that refuses a name with any forbidden address. */
function lookupWithout({ forbidden, how }: Guard): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error) done(error, []);
      else if (!first || addresses.some(({ address }) => forbidden(address))) {
        done(new ForbiddenRedirect(host, 'which is a private address', how), []);
      } else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Whether a base address, chosen by the operator, is on a private network. */
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

/** Addresses of this machine and of private networks (IANA special-purpose registries). */
const privateRanges = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  privateRanges.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // This machine, no address, and IPv4 addresses in a form that is out of use.
  ['::', 96],
  // Translated and tunnelled: an IPv4 address of any kind may be inside.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  privateRanges.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address is outside the public internet; true for text that is not an IP address. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  const version = isIP(bare);
  if (version === 0) return true;
  // An IPv4 address written as IPv6 (::ffff:10.0.0.1) is checked against the IPv4 ranges by BlockList itself.
  return privateRanges.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}
