import {
  extensionOf,
  listExtensions,
  refusedFormats,
  uploadKind,
  withoutExtension,
} from '@cellfolio/contract';
import type { IncomingHttpHeaders } from 'node:http';
import { lastPartOf } from '../remote/download.ts';
import { openAnswer, shownAddress } from '../remote/open-answer.ts';
import { asFailure } from '../remote/receive.ts';
import { type LinkedDatasets, LinkFailed } from './linked-datasets.ts';

const timeoutMilliseconds = 30_000;

interface FileContext {
  signal: AbortSignal;
  mayBePrivate: (address: URL) => boolean;
}

/**
 * The file behind an address, with name and length as stated by its server. Accepts https, and http when an origin may
 * be private. Throws LinkFailed, or the reason of the signal.
 */
export async function linkedFile(
  link: string,
  { signal, mayBePrivate }: FileContext,
): Promise<LinkedDatasets> {
  const address = addressOf(link, mayBePrivate);
  const shown = shownAddress(address.href);
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const { answer, address: at } = await openAnswer(address, {
      headers: { 'accept-encoding': 'identity' },
      signal: AbortSignal.any([signal, timeout]),
      mayBePrivate,
    });
    answer.destroy();
    const { statusCode: status, headers } = answer;
    if (status !== 200) throw refusalOf(shown, status);
    const name = nameOfFile([dispositionName(headers), lastPartOf(address), lastPartOf(at)]);
    // Whatever the address is called: without a permission servers answer with a page to sign in.
    if (name === undefined || isWebPage(headers)) throw whatElse(shown, headers, lastPartOf(address));
    const bytes = Number(headers['content-length'] ?? Number.NaN);
    return {
      title: address.host,
      datasets: [
        {
          name,
          files: [{ address: address.href, name, bytes: Number.isNaN(bytes) ? undefined : bytes }],
          entry: { name: withoutExtension(name), description: `From ${shown}` },
          values: new Map(),
        },
      ],
      unreadable: [],
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LinkFailed) throw error;
    if (timeout.aborted)
      throw new LinkFailed(
        'unreadable',
        `${shown}: the server did not respond for ${timeoutMilliseconds / 1000} seconds. Try again later.`,
      );
    throw new LinkFailed('unreadable', `${shown}: ${asFailure(error).message}.`, { cause: error });
  }
}

export function addressOf(link: string, mayBePrivate: FileContext['mayBePrivate']): URL {
  const address = URL.parse(link);
  if (address === null)
    throw new LinkFailed(
      'no-page',
      'This is not a link: paste an address that begins with https://, or a GEO accession such as GSE123456.',
    );
  // GEO shows its files by ftp, and has the same by https.
  if (address.protocol === 'ftp:' && address.hostname === 'ftp.ncbi.nlm.nih.gov')
    return new URL(`https://${address.host}${address.pathname}`);
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && mayBePrivate(address)))
    throw new LinkFailed('no-page', `${shownAddress(link)}: files are fetched over https only.`);
  if (address.username !== '' || address.password !== '')
    throw new LinkFailed(
      'no-page',
      'The link contains a user name or password, which would be stored with the job. Paste a link without them.',
    );
  return address;
}

function refusalOf(shown: string, status = 0): LinkFailed {
  const answered = `${shown}: the server answered ${status}`;
  if (status >= 500 || [408, 425, 429].includes(status))
    return new LinkFailed('unreadable', `${answered}. Try again later.`);
  if (status === 401 || status === 403)
    return new LinkFailed('not-found', `${answered}: this file is not public.`);
  return new LinkFailed('not-found', `${answered}, so there is no file to fetch.`);
}

/** The first of the names that shows the file type, without folders. */
function nameOfFile(names: readonly (string | undefined)[]): string | undefined {
  return names
    .map((name) => (name ?? '').replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '_').slice(-200))
    .find((name) => uploadKind(name) !== undefined);
}

/** File name from Content-Disposition (RFC 6266). */
function dispositionName({ 'content-disposition': header = '' }: IncomingHttpHeaders): string | undefined {
  const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header);
  try {
    return encoded === undefined ? (plain?.[1] ?? plain?.[2]) : decodeURIComponent(encoded);
  } catch {
    return plain?.[1] ?? plain?.[2];
  }
}

function isWebPage({ 'content-type': type = '' }: IncomingHttpHeaders): boolean {
  return /\bhtml\b/i.test(type);
}

function whatElse(shown: string, headers: IncomingHttpHeaders, name: string): LinkFailed {
  if (isWebPage(headers))
    return new LinkFailed(
      'no-page',
      `${shown} leads to a web page, perhaps a sign-in page, not to a file. Copy the address of the file itself, from its download button.`,
    );
  const refused = refusedFormats.get(extensionOf(name));
  if (refused !== undefined)
    return new LinkFailed('unreadable', `${shown} is ${refused.name}. ${refused.advice}`);
  return new LinkFailed(
    'unreadable',
    `${shown} does not say what it is: the name of a file ends in ${listExtensions('or')}.`,
  );
}
