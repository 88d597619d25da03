import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from './query-client.ts';
import type { CallHandle } from './use-cancellable-call.ts';
import { isCancelled, useCancellableCall } from './use-cancellable-call.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function manualCall() {
  const handles: CallHandle[] = [];
  const answers: ((value: string) => void)[] = [];
  const client = createQueryClient();
  const { result, unmount } = renderHook(
    () =>
      useCancellableCall((_request: string, handle) => {
        handles.push(handle);
        return new Promise<string>((resolve, reject) => {
          answers.push(resolve);
          handle.signal.addEventListener('abort', () => reject(handle.signal.reason as Error));
        });
      }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  const start = async (request: string) => {
    await act(async () => {
      result.current.mutate(request);
      await vi.advanceTimersByTimeAsync(0);
    });
  };
  return { handles, answers, result, unmount, start };
}

test('a call reports its progress, and after ten seconds that it is slow', async () => {
  const { handles, answers, result, start } = manualCall();
  await start('first');
  act(() => handles[0]?.onProgress({ stage: 'Reading', done: 1, total: 4 }));
  expect(result.current.progress).toEqual({ stage: 'Reading', done: 1, total: 4 });
  await act(() => vi.advanceTimersByTimeAsync(9_999));
  expect(result.current.slow).toBe(false);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(result.current.slow).toBe(true);
  await act(async () => {
    answers[0]?.('done');
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(result.current).toMatchObject({ isPending: false, progress: null, slow: false });
  // Whoever wanted the answer has it; here it would only take up room.
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(result.current.data).toBeUndefined();
});

test('a new call ends the one before, whose progress counts no more; cancelling and leaving end it too', async () => {
  const { handles, result, start, unmount } = manualCall();
  await start('first');
  await start('second');
  expect(handles.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  act(() => handles[0]?.onProgress({ stage: 'Late', done: 4, total: 4 }));
  expect(result.current.progress).toBeNull();
  await act(async () => {
    result.current.cancel();
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(handles[1]?.signal.aborted).toBe(true);
  expect(isCancelled(handles[1]?.signal.reason)).toBe(true);
  expect(result.current.isPending).toBe(false);
  await start('third');
  unmount();
  expect(handles[2]?.signal.aborted).toBe(true);
});
