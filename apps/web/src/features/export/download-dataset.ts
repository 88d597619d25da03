import type { ExportContents, ExportContentsRequest } from '@cellfolio/contract';
import { exportContents } from '@cellfolio/contract';
import { queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal, ApiUnreachable } from '@/lib/api-errors.ts';
import { PieceBlobs } from '@/lib/files.ts';
import { callFailure } from '@/lib/call-failure.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

/** `opened` identifies the open dataset, its version and the active cells. */
export function exportContentsQuery(api: ApiClient, opened: string, request: ExportContentsRequest) {
  return queryOptions({
    queryKey: ['export-contents', opened, request],
    // Annotations change between two looks at it.
    staleTime: 0,
    queryFn: ({ signal }): Promise<ExportContents> =>
      api({ path: '/api/export-dataset/contents', body: request, answer: exportContents, signal }),
  });
}

/** Milliseconds before each attempt to resume an interrupted download. */
const pauses = [1000, 2000, 5000, 10_000, 20_000, 30_000];

const anyHeaders = { parse: (value: unknown) => value as Headers };

class Received {
  bytes = 0;
  total: number | undefined;
  etag: string | undefined;
  readonly #pieces = new PieceBlobs();

  add(piece: Uint8Array<ArrayBuffer>, headers: Headers): void {
    const rest = headers.get('content-length');
    if (this.etag === undefined && rest !== null) this.total = Number(rest);
    this.etag ??= headers.get('etag') ?? undefined;
    this.#pieces.add(piece);
    this.bytes += piece.length;
  }

  file(): Blob {
    return new Blob([...this.#pieces.blobs()]);
  }
}

/**
 * The active cells as an .h5ad file. When the connection ends early, the download resumes after the last received byte,
 * a few times; the pauses restart whenever data arrives. @throws {CallFailed}
 */
export async function downloadDataset(
  api: ApiClient,
  request: ExportContentsRequest,
  { signal, onProgress }: CallHandle,
  waits: readonly number[] = pauses,
): Promise<Blob> {
  const received = new Received();
  for (let failures = 0; ; failures++) {
    const before = received.bytes;
    try {
      await api({
        path: '/api/export-dataset',
        body: { ...request, ...(before > 0 && { from: before, etag: received.etag }) },
        answer: anyHeaders,
        expects: 'pieces',
        signal,
        onPiece: (piece, headers) => {
          received.add(piece, headers);
          const { bytes: done, total = done } = received;
          onProgress({ stage: 'Downloading', done, total });
        },
      });
      if (received.total === undefined || received.bytes >= received.total) return received.file();
    } catch (cause) {
      if (signal.aborted) throw cause;
      if (received.bytes > before) failures = 0;
      if (!canGoOn(cause, received) || failures >= waits.length) {
        throw callFailure('Failed to export the dataset', cause);
      }
    }
    await pause(waits[failures] ?? 0, signal);
  }
}

/**
 * A download that never began is left to the user to retry; a started one may find the server temporarily busy or
 * unavailable.
 */
function canGoOn(cause: unknown, { bytes, etag }: Received): boolean {
  if (bytes === 0 || etag === undefined) return false;
  return (
    cause instanceof ApiUnreachable ||
    (cause instanceof ApiRefusal && [429, 502, 503, 504].includes(cause.status))
  );
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
