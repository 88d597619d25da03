import { fewGenes } from '@cellfolio/contract';
import { ApiRefusal, CallFailed, reasonOf } from '@/lib/api-errors.ts';

const noDatasetLoaded =
  'No dataset loaded on the server. Please refresh the page to reload your selected dataset and try again.';

const withStatus: ReadonlySet<string> = new Set([
  'Failed to generate gene UMAP plots',
  'Failed to score signature',
  'Failed to visualize cell state',
]);

/**
 * The failure of a plot call with the page's message. `words`: prefix of the server's message, such as 'Failed to score
 * signature'.
 */
export function callFailure(words: string, cause: unknown): CallFailed {
  if (cause instanceof ApiRefusal && cause.status === 400 && cause.body.includes('No dataset loaded')) {
    return new CallFailed(noDatasetLoaded, cause);
  }
  const reason = withStatus.has(words) && cause instanceof Error ? cause.message : reasonOf(cause);
  return new CallFailed(`${words}: ${reason}`, cause);
}

export function hasNoRequestedGenes(error: Error): boolean {
  const cause = error instanceof CallFailed ? error.cause : error;
  return cause instanceof ApiRefusal && cause.code === 'no_genes_found';
}

/** The genes of a cell state that the dataset has, if the server refused them as too few. */
export function tooFewGenes(error: Error | null): { genes: string[]; total: number } | undefined {
  const cause = error instanceof CallFailed ? error.cause : error;
  if (!(cause instanceof ApiRefusal) || cause.code !== 'too_few_genes') return undefined;
  const { data } = fewGenes.safeParse(cause.details);
  return data && { genes: data.found_genes, total: data.set_genes };
}

export function failureNotice(error: Error, words: string): string {
  const cause = error instanceof CallFailed ? error.cause : error;
  const isRefusal = cause instanceof ApiRefusal;
  // To try these again never helps.
  if (isRefusal && (cause.code === 'not_drawable' || hasNoRequestedGenes(error) || tooFewGenes(error)))
    return cause.body;
  return error.message === noDatasetLoaded ? noDatasetLoaded : words;
}

/** The next step after a failed call: with `change`, the same request would be refused again. */
type Remedy = 'reload-dataset' | 'sign-in' | 'retry' | 'change';

/** Statuses of refusals caused by the request itself, which a retry cannot change. */
const refusedAlways: ReadonlySet<number> = new Set([400, 403, 404, 413, 422]);

export function remedyOf(error: Error): Remedy {
  const cause = error instanceof CallFailed ? error.cause : error;
  if (error.message === noDatasetLoaded) return 'reload-dataset';
  if (!(cause instanceof ApiRefusal)) return 'retry';
  if (cause.status === 401) return 'sign-in';
  // The dataset was replaced while it was open.
  if (cause.code === 'dataset_changed' || cause.code === 'no_dataset_loaded') return 'reload-dataset';
  return refusedAlways.has(cause.status) ? 'change' : 'retry';
}

/** Reason of a refusal that no retry can fix; undefined for every other failure. */
export function refusalOf(error: Error): string | undefined {
  return remedyOf(error) === 'change'
    ? reasonOf(error instanceof CallFailed ? error.cause : error)
    : undefined;
}

export function isTrialExpired(error: unknown): boolean {
  const cause = error instanceof CallFailed ? error.cause : error;
  return cause instanceof ApiRefusal && cause.code === 'trial_expired';
}

/** Adds a message to the failure of a call. @throws {CallFailed} */
export async function withFailureText<T>(
  words: string,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (signal.aborted || cause instanceof CallFailed) throw cause;
    throw callFailure(words, cause);
  }
}
