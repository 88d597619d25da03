import { StoreUrlError } from '../errors.ts';

/** A bucket and the credentials for it; plain data that can be sent to threads. */
export interface S3Location {
  readonly bucket: string;
  /** Prefix of every key; empty, or with a trailing slash. */
  readonly prefix: string;
  /** `https://host` of the server; undefined for AWS by region alone. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined: the environment, a profile or the machine's role, as the AWS SDK finds them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** The bucket in the path rather than in the host name. */
  readonly forcePathStyle: boolean;
}

/**
 * Reads `s3://KEY:SECRET@host/bucket/prefix?endpoint=…&region=…&style=path|virtual`. KEY and SECRET are percent-encoded and may be
 * left out; `endpoint` is `https://host` unless given, for the same host with `http:` or a port; the bucket is in the path unless
 * `style=virtual`. Without a host (`s3:///bucket?region=…`) it is AWS's own. Throws StoreUrlError.
 */
export function parseS3Url(text: string): S3Location {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // The cause would repeat the address and the secret in it.
    throw new StoreUrlError('it is not a URL.');
  }
  if (url.protocol !== 's3:') throw new StoreUrlError('it does not begin with s3:.');
  for (const name of url.searchParams.keys()) {
    if (!['endpoint', 'region', 'style'].includes(name)) {
      throw new StoreUrlError(`it has an unknown parameter "${name}".`);
    }
  }
  const [bucket = '', ...rest] = url.pathname.split('/').filter((segment) => segment !== '');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/i.test(bucket)) {
    throw new StoreUrlError('the bucket after the host is missing or not a bucket name.');
  }
  if (rest.some((segment) => !/^[\w.-]+$/.test(segment) || /^\.+$/.test(segment))) {
    throw new StoreUrlError('the prefix may contain only letters, digits, "_", "-" and ".".');
  }
  if ((url.username === '') !== (url.password === '')) {
    throw new StoreUrlError('it has a key without a secret, or a secret without a key.');
  }
  const style = url.searchParams.get('style') ?? (url.host === '' ? 'virtual' : 'path');
  if (style !== 'path' && style !== 'virtual') throw new StoreUrlError('style must be path or virtual.');
  const endpoint = endpointOf(url);
  const region = url.searchParams.get('region') ?? (endpoint === undefined ? '' : 'us-east-1');
  if (region === '') throw new StoreUrlError('without a host it needs a region.');
  return {
    bucket,
    prefix: rest.map((segment) => `${segment}/`).join(''),
    endpoint,
    region,
    credentials:
      url.username === ''
        ? undefined
        : { accessKeyId: decoded(url.username), secretAccessKey: decoded(url.password) },
    forcePathStyle: style === 'path',
  };
}

function endpointOf(url: URL): string | undefined {
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint === null) return url.host === '' ? undefined : `https://${url.host}`;
  const parsed = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.username !== '') {
    throw new StoreUrlError('endpoint is not an http or https address.');
  }
  // Otherwise a bucket that was written in place of the host would be ignored without a word.
  if (url.hostname !== '' && url.hostname !== parsed.hostname) {
    throw new StoreUrlError(
      `its host "${url.hostname}" is not that of its endpoint, "${parsed.hostname}"; the bucket comes after the host.`,
    );
  }
  return endpoint.replace(/\/+$/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreUrlError('the key or the secret is not percent-encoded.');
  }
}
