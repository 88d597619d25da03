import type { FigureSource } from '@cellfolio/contract';
import type { Backend } from '@/lib/backend.ts';

export interface ImageQuestion {
  /** A data URL. */
  imageUrl: string;
  filename: string;
  prompt: string;
  /** Names the figure, so that the numbers behind it can be taken into account. */
  source: FigureSource | null;
}

export interface ImageAnalysis {
  text: string;
  /** How it came about, to be shown with it; empty where the service does not say. */
  label: string;
}

/** The service gave no analysis; the message is the one to show. */
export class AnalysisFailed extends Error {
  override readonly name = 'AnalysisFailed';
  /** The service says that the plan does not include it. */
  readonly planRequired: boolean;

  constructor(
    message: string,
    { planRequired = false, cause }: { planRequired?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.planRequired = planRequired;
  }
}

const unknownFailure = 'Failed to analyze the image. Please try again';

/** Has an image analysed. @throws {AnalysisFailed}, or the `AbortError` of the signal */
export async function analyzeImage(
  functions: Backend['functions'],
  { imageUrl, filename, prompt, source }: ImageQuestion,
  signal: AbortSignal,
): Promise<ImageAnalysis> {
  const client = await functions();
  signal.throwIfAborted();
  const { data, error } = await client.invoke<unknown>('analyze-image', {
    body: { imageUrl, filename, prompt, ...(source !== null && { source }) },
    signal,
  });
  signal.throwIfAborted();
  if (error !== null) throw await refusal(error);
  const text = analysisText(data);
  if (text === '') throw new AnalysisFailed('No analysis returned from the service');
  return { text, label: textAt(data, 'label') };
}

/** `analysis` is a text, or an object with `content` or `text`. */
function analysisText(data: unknown): string {
  const direct = textAt(data, 'analysis');
  if (direct !== '') return direct;
  const analysis = valueAt(data, 'analysis');
  return textAt(analysis, 'content') || textAt(analysis, 'text');
}

/** What the service says is in the body of its answer, which the client hands over unread. */
async function refusal(error: unknown): Promise<AnalysisFailed> {
  const response = valueAt(error, 'context');
  if (!(response instanceof Response)) return new AnalysisFailed(unknownFailure, { cause: error });
  let said = '';
  let code = '';
  try {
    const body: unknown = await response.json();
    said = textAt(body, 'error') || textAt(body, 'message');
    code = textAt(body, 'code');
  } catch {
    // A proxy in between answers in its own way.
  }
  return new AnalysisFailed(said.slice(0, 500) || unknownFailure, {
    // Others are refused with 403 too, such as who has still to pass a second step.
    planRequired: response.status === 403 && (code === '' || code === 'professional_plan_required'),
    cause: error,
  });
}

function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}

function textAt(value: unknown, key: string): string {
  const text = valueAt(value, key);
  return typeof text === 'string' ? text.trim() : '';
}
