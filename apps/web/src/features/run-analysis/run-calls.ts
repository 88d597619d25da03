import type { GeneSetLibraries, PulledGeneSetLibraries } from '@cellfolio/contract';
import { geneSetLibraries, pulledGeneSetLibraries } from '@cellfolio/contract';
import { plotFailure } from '@/features/gene-visualization/plot-failure.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

/** The libraries that the server has. @throws {CallFailed} */
export function listGeneSetLibraries(api: ApiClient, signal: AbortSignal): Promise<GeneSetLibraries> {
  return inWords('Failed to load the gene set libraries', signal, () =>
    api({ path: '/api/gene-set-libraries', answer: geneSetLibraries, signal }),
  );
}

/** Fetches the libraries from their publisher; operators alone may. @throws {CallFailed} */
export function pullGeneSetLibraries(api: ApiClient, handle: CallHandle): Promise<PulledGeneSetLibraries> {
  return inWords('Failed to fetch the gene set libraries', handle.signal, () =>
    api({ path: '/api/gene-set-libraries/pull', body: {}, answer: pulledGeneSetLibraries, ...handle }),
  );
}

/** A call whose failure says what was tried. @throws {CallFailed} */
export async function inWords<T>(words: string, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw plotFailure(words, cause);
  }
}
