import type { GeneSetLibraries, PulledGeneSetLibraries } from '@cellfolio/contract';
import { geneSetLibraries, pulledGeneSetLibraries } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { inWords } from '@/lib/call-failure.ts';
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
