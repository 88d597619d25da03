import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import type { LibraryImage } from '@/features/images/index.ts';
import { imageFileName, useDatasetName, useReadImage } from '@/features/images/index.ts';
import { useSubscription } from '@/features/billing/index.ts';
import { dataUrl } from '@/lib/files.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { ImageAnalysis } from './analyze-image.ts';
import { AnalysisFailed, analyzeImage } from './analyze-image.ts';

export const defaultPrompt =
  'Describe what this figure shows, which cells stand out, and what to look at next.';

export interface AiAnalysis {
  /** Whether the server offers it at all. */
  offered: boolean;
  /** Whether a question of the user's own makes a difference: a computed summary takes none. */
  takesQuestions: boolean;
  /** Has an image analysed, or says why that is not possible. */
  ask: (image: LibraryImage, prompt?: string) => void;
  /** The image that is being analysed, or was last. */
  image: LibraryImage | null;
  pending: boolean;
  /** It takes longer than ten seconds. */
  slow: boolean;
  answer: ImageAnalysis | null;
  /** Ends what is running and puts the answer away. */
  close: () => void;
}

interface Question {
  image: LibraryImage;
  prompt: string;
}

/** AI analysis of images, for Professional users. The server decides; asking it in vain is spared where it is known. */
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
  const [given, setGiven] = useState<{ image: LibraryImage; answer: ImageAnalysis } | null>(null);
  const professional = subscription.subscribed && subscription.subscription_tier === 'Professional';
  return {
    offered: config.features.aiAnalysis,
    takesQuestions: config.features.aiAnalysisKind !== 'summary',
    ask: (image, prompt = defaultPrompt) => {
      if (subscription.trialExpired) {
        toast.error('Free Trial Expired', { description: professionalOnly });
        return;
      }
      if (!professional && !subscription.loading && !subscription.failed) {
        toast.error('Professional Plan Required', { description: professionalOnly });
        return;
      }
      setGiven(null);
      call.mutate(
        { image, prompt: prompt.trim() || defaultPrompt },
        {
          onSuccess: (answer) => {
            setGiven({ image, answer });
            toast.success('Analysis Complete');
          },
          onError: tell,
        },
      );
    },
    image: call.isPending ? (call.variables?.image ?? null) : (given?.image ?? null),
    pending: call.isPending,
    slow: call.slow,
    answer: given?.answer ?? null,
    close: () => {
      call.cancel();
      setGiven(null);
    },
  };
}

const professionalOnly = 'AI analysis is available for Professional plan users only.';

function tell(error: unknown): void {
  if (isCancelled(error)) return;
  if (error instanceof AnalysisFailed && error.planRequired) {
    toast.error('Professional Plan Required', { description: professionalOnly });
    return;
  }
  console.warn('An image was not analysed.', error);
  toast.error('Analysis Failed', {
    description:
      error instanceof AnalysisFailed ? error.message : 'Failed to analyze the image. Please try again',
  });
}
