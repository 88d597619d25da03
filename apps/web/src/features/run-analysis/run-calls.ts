import type {
  GeneSetLibraries,
  MarkerAnalysisAnswer,
  MarkerAnalysisRequest,
  PathwayAnalysisAnswer,
  PathwayAnalysisRequest,
  PulledGeneSetLibraries,
} from '@cellfolio/contract';
import {
  geneSetLibraries,
  markerAnalysisAnswer,
  pathwayAnalysisAnswer,
  pulledGeneSetLibraries,
} from '@cellfolio/contract';
import { plotFailure } from '@/features/gene-visualization/plot-failure.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

/** Marker genes of the active cells. @throws {CallFailed} */
export function performMarkerAnalysis(
  api: ApiClient,
  request: MarkerAnalysisRequest,
  handle: CallHandle,
): Promise<MarkerAnalysisAnswer> {
  return inWords('Failed to run marker analysis', handle.signal, () =>
    api({ path: '/api/perform-marker-analysis', body: request, answer: markerAnalysisAnswer, ...handle }),
  );
}

/** Gene sets in which a list of genes is over-represented. @throws {CallFailed} */
export function performPathwayAnalysis(
  api: ApiClient,
  request: PathwayAnalysisRequest,
  handle: CallHandle,
): Promise<PathwayAnalysisAnswer> {
  return inWords('Failed to run gene set enrichment analysis', handle.signal, () =>
    api({ path: '/api/perform-pathway-analysis', body: request, answer: pathwayAnalysisAnswer, ...handle }),
  );
}

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

async function inWords<T>(words: string, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw plotFailure(words, cause);
  }
}
