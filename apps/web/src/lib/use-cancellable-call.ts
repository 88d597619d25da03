import type { ProgressEvent } from '@cellfolio/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

export interface CallHandle {
  signal: AbortSignal;
  onProgress: (event: ProgressEvent) => void;
}

/** Milliseconds after which a call counts as slow. */
const slowAfter = 10_000;

/**
 * Mutation for a call of the analysis server. It can be cancelled, and is when its page is left; it reports progress
 * and slowness. A new call cancels the previous one. Only `onSuccess` receives the answer.
 */
export function useCancellableCall<Request, Answer>(
  call: (request: Request, handle: CallHandle) => Promise<Answer>,
) {
  const running = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<ProgressEvent | null>(null);
  const [slow, setSlow] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const mutation = useMutation({
    gcTime: 0,
    mutationFn: async (request: Request) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      // Ignores late events of a replaced call.
      const current = () => running.current === controller;
      setProgress(null);
      setSlow(false);
      const timer = setTimeout(() => current() && setSlow(true), slowAfter);
      try {
        return await call(request, {
          signal: controller.signal,
          onProgress: (event) => current() && setProgress(event),
        });
      } finally {
        clearTimeout(timer);
      }
    },
  });
  // An answer can hold megabytes of figures, so only `onSuccess` receives it.
  const { isSuccess, reset } = mutation;
  useEffect(() => {
    if (isSuccess) reset();
  }, [isSuccess, reset]);
  return {
    ...mutation,
    progress: mutation.isPending ? progress : null,
    slow: mutation.isPending && slow,
    cancel: () => {
      running.current?.abort();
      mutation.reset();
    },
  };
}

export type CancellableCall<Request, Answer> = ReturnType<typeof useCancellableCall<Request, Answer>>;

export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
