import { LibraryNotFetched } from './errors.ts';
import { shownAddress } from '../../runtime/remote/open-answer.ts';
import { AttemptFailed, InMemory, receive, ReceiveFailed } from '../../runtime/remote/receive.ts';

export interface FetchLibraryOptions {
  /** Maximum silence of the server before an attempt is aborted. */
  timeoutMilliseconds: number;
  signal: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Default 64 MiB, about ten times the largest library of its publisher. */
  maxBytes?: number;
  /** Waits before the second and further attempts. */
  pauses?: readonly number[];
}

/**
 * The complete bytes of a library in the publisher's text form: of the announced length, ending with a line break, and
 * not an error page. Held in memory, because it must be read as a whole before any of it is trusted, and so that
 * nothing is left behind. Throws LibraryNotFetched, or the reason of the signal.
 */
export async function fetchLibrary(
  library: string,
  base: string,
  { maxBytes = 64 * 1024 * 1024, ...options }: FetchLibraryOptions,
): Promise<Uint8Array> {
  const address = libraryAddress(base, library);
  const received = new InMemory();
  let bytes = new Uint8Array();
  try {
    await receive(new URL(address), received, {
      ...options,
      maxBytes,
      noun: 'library',
      refused: /\b(?:json|xml)\b/i,
      headers: { accept: 'text/plain' },
      check: () => void (bytes = wholeLibrary(received)),
    });
    return bytes;
  } catch (error) {
    if (!(error instanceof ReceiveFailed)) throw error;
    const { attempts, cause } = error;
    throw new LibraryNotFetched(library, { address: shownAddress(address), attempts, cause });
  }
}

export function libraryAddress(base: string, library: string): string {
  return `${base}/geneSetLibrary?mode=text&libraryName=${encodeURIComponent(library)}`;
}

/** Rejects an incomplete library, as far as the response itself shows; the sets are parsed later. */
function wholeLibrary(received: InMemory): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.concat(received.pieces);
  const text = bytes.toString('utf8');
  if (text.trim() === '') {
    received.forget();
    throw new AttemptFailed('the answer is empty');
  }
  if (/^[\s\uFEFF]*</.test(text)) {
    throw new AttemptFailed('the answer is a web page, not a library', { final: true });
  }
  if (/^\s*[[{]/.test(text) && !text.includes('\t')) {
    throw new AttemptFailed('the answer is an error message, not a library', { final: true });
  }
  if (!text.endsWith('\n')) {
    // The publisher ends every line; without that the last set may lack genes and nobody would notice.
    received.forget();
    throw new AttemptFailed('the answer breaks off within a line');
  }
  return bytes;
}
