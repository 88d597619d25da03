import { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { ExpiringCache } from '../../runtime/expiring-cache.ts';
import { isLoopback } from '../../runtime/remote/download.ts';
import { openAnswer } from '../../runtime/remote/open-answer.ts';

/** An app, as its metadata document describes it. Anybody can write such a document with any name. */
export interface AppClient {
  id: string;
  name: string;
  redirectUris: readonly string[];
}

const maxBytes = 16 * 1024;
const timeoutMilliseconds = 5_000;
/** Time until a changed document takes effect. */
const cacheMilliseconds = 300_000;

// Client metadata of RFC 7591, section 2, as far as a client without a secret has it.
const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().min(1).max(200),
  redirect_uris: z.array(z.string().max(2000)).min(1).max(50),
});

function refused(id: string, problem: string, cause?: unknown): ApiFailure {
  const message = `The app cannot be connected: its metadata document ${id.slice(0, 300)} ${problem}`;
  return new ApiFailure(400, 'invalid_client', message, { cause });
}

/**
 * Reads metadata documents of apps (draft-ietf-oauth-client-id-metadata-document): https only, no private addresses, no
 * redirects, limited in size and time. `allowLoopback` also admits http on this machine, for tests of a client.
 */
export class ClientMetadata {
  readonly #clients = new ExpiringCache<AppClient>(cacheMilliseconds);
  readonly #allowLoopback: boolean;

  constructor({ allowLoopback }: { allowLoopback: boolean }) {
    this.#allowLoopback = allowLoopback;
  }

  /** The client of a client id. Throws ApiFailure 400 `invalid_client`. */
  async clientOf(id: string): Promise<AppClient> {
    const address = URL.parse(id);
    const mayBeLocal = (url: URL) => this.#allowLoopback && isLoopback(url);
    const isPlain = address?.href === id && !/[#?@]/.test(id) && address.pathname !== '/';
    if (!address || !isPlain || (address.protocol !== 'https:' && !mayBeLocal(address))) {
      throw refused(id, 'has no address of the form https://host/path.');
    }
    return this.#clients.recall(id, async () => {
      const text = await this.#fetched(address, mayBeLocal);
      const { success, data } = clientDocument.safeParse(parsed(text));
      if (!success) throw refused(id, 'is no JSON object with client_id, client_name and redirect_uris.');
      if (data.client_id !== id) throw refused(id, 'names another client_id.');
      return { id, name: shownName(data.client_name) || address.host, redirectUris: data.redirect_uris };
    });
  }

  async #fetched(address: URL, mayBePrivate: (url: URL) => boolean): Promise<string> {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    try {
      const headers = { accept: 'application/json' };
      const { answer } = await openAnswer(address, { headers, signal, mayBePrivate, redirects: 0 });
      const pieces: Buffer[] = [];
      let bytes = 0;
      try {
        if (answer.statusCode !== 200) throw new Error(`Status ${answer.statusCode}`);
        for await (const piece of answer) {
          bytes += (piece as Buffer).byteLength;
          if (bytes > maxBytes) throw new Error(`More than ${maxBytes} bytes`);
          pieces.push(piece as Buffer);
        }
      } finally {
        answer.destroy();
      }
      return Buffer.concat(pieces).toString();
    } catch (cause) {
      // What went wrong is for the log: it would tell a stranger about the network of the server.
      throw refused(
        address.href,
        `cannot be read: it has at most ${maxBytes / 1024} KiB, behind no redirect.`,
        cause,
      );
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One line, without characters that turn or hide text. */
function shownName(name: string): string {
  return name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 80);
}

/**
 * Whether an app may be answered at an address: one that its document names, and that is https or on the device of the
 * user. There the port may be another one (RFC 8252, section 7.3).
 */
export function isRedirectOf({ redirectUris }: AppClient, uri: string): boolean {
  const address = URL.parse(uri);
  if (!address || uri.includes('#') || (address.protocol !== 'https:' && !isOnDevice(address))) return false;
  if (redirectUris.includes(uri)) return true;
  return isOnDevice(address) && redirectUris.some((one) => withoutPort(one) === withoutPort(uri));
}

/** Whether an address is http on the device of the user. */
export function isOnDevice(address: URL): boolean {
  return address.protocol === 'http:' && isLoopback(address);
}

function withoutPort(uri: string): string | undefined {
  const address = URL.parse(uri);
  if (!address || !isOnDevice(address) || address.username !== '' || address.password !== '')
    return undefined;
  address.port = '';
  return address.href;
}
