import type { ProgressEvent } from '@cellfolio/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** What a call is to carry so that it can be cancelled and watched. */
export interface CallHandle {
  signal: AbortSignal;
  onProgress: (event: ProgressEvent) => void;
}

/** From here on a call is called slow. */
const slowAfter = 10_000;

/**
 * A call of the analysis server as a mutation that can be cancelled (and that is when its page is left), that tells
 * how it comes on, and says when it is slow. A new call ends the one before. The answer goes to `onSuccess` alone.
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
      // What comes late, from a call that another took the place of, is not of this one.
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
  // An answer can hold megabytes of figures. Whoever wants it has it from `onSuccess`, and nothing else keeps it.
  const { isSuccess, reset } = mutation;
  useEffect(() => {
    if (isSuccess) reset();
  }, [isSuccess, reset]);
  return {
    ...mutation,
    /** How far the running call has come; `null` while that is not known. */
    progress: mutation.isPending ? progress : null,
    /** Whether the running call takes longer than ten seconds. */
    slow: mutation.isPending && slow,
    cancel: () => {
      running.current?.abort();
      mutation.reset();
    },
  };
}

export type CancellableCall<Request, Answer> = ReturnType<typeof useCancellableCall<Request, Answer>>;

/** Whether a call ended because it was cancelled: no failure, and so nothing to tell. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
