import type { PlotSignatureAnswer, PlotSignatureRequest } from '@cellfolio/contract';
import { plotSignatureAnswer } from '@cellfolio/contract';
import type { ApiClient } from '@/lib/api-client.ts';
import { plotFailure } from '@/lib/call-failure.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

/** Scores a signature on the active cells; the answer carries the name of the score. @throws {CallFailed} */
export async function plotSignatureEnrichment(
  api: ApiClient,
  request: PlotSignatureRequest,
  { signal, onProgress }: CallHandle,
): Promise<PlotSignatureAnswer> {
  try {
    return await api({
      path: '/api/plot-signature-enrichment',
      body: request,
      answer: plotSignatureAnswer,
      signal,
      onProgress,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw plotFailure('Failed to score signature', cause);
  }
}
