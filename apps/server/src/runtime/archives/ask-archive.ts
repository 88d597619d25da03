import { shownAddress } from '../remote/open-answer.ts';
import { InMemory, receive, ReceiveFailed } from '../remote/receive.ts';
import { LinkFailed } from './linked-datasets.ts';

const maxBytes = 64 * 2 ** 20;
const timeoutMilliseconds = 30_000;

/** The text of an archive's response. Throws LinkFailed, with `missing` when it has no such record. */
export async function askArchive(
  address: string,
  missing: string,
  { signal, pauses }: { signal: AbortSignal; pauses?: readonly number[] | undefined },
): Promise<string> {
  const received = new InMemory();
  try {
    await receive(new URL(address), received, {
      signal,
      pauses,
      noun: 'record',
      timeoutMilliseconds,
      maxBytes,
    });
  } catch (error) {
    if (!(error instanceof ReceiveFailed)) throw error;
    // GEO answers with a page that says so.
    if (/answered (?:400|403|404|410)|answered with text\/html/.test(error.message))
      throw new LinkFailed('not-found', missing);
    throw new LinkFailed(
      'unreadable',
      `${shownAddress(address)}: ${error.message}, at attempt ${error.attempts}.`,
    );
  }
  return Buffer.concat(received.pieces).toString('utf8');
}
