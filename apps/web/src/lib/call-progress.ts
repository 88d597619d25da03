import type { ProgressEvent } from '@cellfolio/contract';
import { progressEvent } from '@cellfolio/contract';

interface WatchOptions {
  address: string;
  headers: Headers;
  fetch: typeof fetch;
  onEvent: (event: ProgressEvent) => void;
  /** Milliseconds to wait for the stream to open; after that the call is made without progress. */
  openTimeout?: number;
}

/**
 * Watches the progress of a call until stopped. Resolves when the stream is open, so that no early event is missed.
 * A failed stream stops the progress bar, never the call.
 */
export async function watchProgress({
  address,
  headers,
  fetch: send,
  onEvent,
  openTimeout = 2000,
}: WatchOptions): Promise<{ stop: () => void }> {
  const controller = new AbortController();
  const watch = { stop: () => controller.abort() };
  headers.set('accept', 'text/event-stream');
  const open = async () => {
    const response = await send(address, { headers, signal: controller.signal });
    if (!response.ok || response.body === null) return;
    void readEvents(response.body, onEvent, controller.signal).catch(() => {});
  };
  const opened = open().catch(() => {});
  await Promise.race([opened, new Promise((done) => setTimeout(done, openTimeout))]);
  return watch;
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ProgressEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return;
    rest += decoder.decode(value, { stream: true });
    const events = rest.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const progress = readProgress(event);
      if (progress !== null) onEvent(progress);
    }
  }
}

function readProgress(event: string): ProgressEvent | null {
  const data = event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('\n');
  try {
    return progressEvent.parse(JSON.parse(data));
  } catch {
    return null;
  }
}
