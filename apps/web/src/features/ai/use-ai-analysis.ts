import { defaultAnalysisPrompt, type FigureSource } from '@cellfolio/contract';
import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { LibraryImage } from '@/features/images/index.ts';
import { imageFileName, useDatasetName, useReadImage } from '@/features/images/index.ts';
import { useSubscription } from '@/features/billing/index.ts';
import type { Backend } from '@/lib/backend.ts';
import { dataUrl } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';

export interface AiAnalysis {
  offered: boolean;
  /** Whether the user can ask a question: not for a computed summary. */
  takesQuestions: boolean;
  ask: (image: LibraryImage, prompt?: string) => void;
  image: LibraryImage | null;
  pending: boolean;
  /** Running for more than ten seconds. */
  slow: boolean;
  answer: ImageAnalysis | null;
  close: () => void;
}

interface Question {
  image: LibraryImage;
  prompt: string;
}

/**
 * AI analysis of images, for Professional users. The server decides; requests that are bound to be refused are not
 * sent.
 */
export function useAiAnalysis(): AiAnalysis {
  const { config, functions } = useServices();
  const subscription = useSubscription();
  const readImage = useReadImage();
  const datasetName = useDatasetName();
  const call = useCancellableCall(async ({ image, prompt }: Question, { signal }) =>
    analyzeImage(
      functions,
      {
        imageUrl: await dataUrl(await readImage(image)),
        filename: imageFileName(image, 'png', datasetName(image)),
        prompt,
        source: image.source ?? null,
      },
      signal,
    ),
  );
  const [result, setResult] = useState<{ image: LibraryImage; answer: ImageAnalysis } | null>(null);
  const professional = subscription.subscribed && subscription.subscription_tier === 'Professional';
  return {
    offered: config.features.aiAnalysis,
    takesQuestions: config.features.aiAnalysisKind !== 'summary',
    ask: (image, prompt = defaultAnalysisPrompt) => {
      if (subscription.trialExpired) {
        toast.error('Free Trial Expired', { description: professionalOnly });
        return;
      }
      if (!professional && !subscription.loading && !subscription.failed) {
        toast.error('Professional Plan Required', { description: professionalOnly });
        return;
      }
      setResult(null);
      call.mutate(
        { image, prompt: prompt.trim() || defaultAnalysisPrompt },
        {
          onSuccess: (answer) => {
            setResult({ image, answer });
            toast.success('Analysis Complete');
          },
          onError: showError,
        },
      );
    },
    image: call.isPending ? (call.variables?.image ?? null) : (result?.image ?? null),
    pending: call.isPending,
    slow: call.slow,
    answer: result?.answer ?? null,
    close: () => {
      call.cancel();
      setResult(null);
    },
  };
}

const professionalOnly = 'AI analysis is available for Professional plan users only.';

function showError(error: unknown): void {
  if (isCancelled(error)) return;
  if (error instanceof AnalysisFailed && error.planRequired) {
    toast.error('Professional Plan Required', { description: professionalOnly });
    return;
  }
  console.warn('An image was not analyzed.', error);
  toast.error('Analysis Failed', {
    description:
      error instanceof AnalysisFailed ? error.message : 'Failed to analyze the image. Please try again',
  });
}

interface ImageQuestion {
  /** A data URL. */
  imageUrl: string;
  filename: string;
  prompt: string;
  /** Identifies the figure, so that its numbers can be used. */
  source: FigureSource | null;
}

export interface ImageAnalysis {
  text: string;
  /** Origin of the text, shown with it; empty when the service does not say. */
  label: string;
}

/** The service returned no analysis; the message can be shown. */
class AnalysisFailed extends Error {
  override readonly name = 'AnalysisFailed';
  /** The plan does not include it, according to the service. */
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

/** Requests the analysis of an image. @throws {AnalysisFailed}, or the `AbortError` of the signal */
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

/** The service's message is in the response body, which the client passes on unread. */
async function refusal(error: unknown): Promise<AnalysisFailed> {
  const response = valueAt(error, 'context');
  if (!(response instanceof Response)) return new AnalysisFailed(unknownFailure, { cause: error });
  let message = '';
  let code = '';
  try {
    const body: unknown = await response.json();
    message = textAt(body, 'error') || textAt(body, 'message');
    code = textAt(body, 'code');
  } catch {
    // A proxy may respond with a body of its own.
  }
  return new AnalysisFailed(message.slice(0, 500) || unknownFailure, {
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
