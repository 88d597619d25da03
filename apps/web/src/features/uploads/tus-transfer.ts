import type { HttpRequest } from 'tus-js-client';
import { userFilesBucket } from './files/user-file.ts';
import type { Services } from '@/lib/services.ts';
import type { TransferService } from './transfer.ts';
import { TransferFailed } from './transfer.ts';

// Hosted projects take chunks of this size only.
const chunkSize = 6 * 1024 * 1024;

/** Files go in chunks by the tus protocol: what has arrived stays when the line is cut or the page is closed. */
export function tusTransfers({ config, auth }: Pick<Services, 'config' | 'auth'>): TransferService {
  const endpoint = `${config.supabaseUrl}/storage/v1/upload/resumable`;
  /** The session of the moment: an upload outlives an access token. */
  const authorise = async (request: HttpRequest) => {
    const token = (await auth.getSession()).data.session?.access_token ?? config.publishableKey;
    request.setHeader('apikey', config.publishableKey);
    request.setHeader('authorization', `Bearer ${token}`);
  };
  const shared = {
    chunkSize,
    // Lost connections are the business of the queue, which shows them; this is for a line that died unnoticed.
    retryDelays: [500, 2000],
    onShouldRetry: (error: unknown) => {
      const failure = failureOf(error);
      return failure.isTokenRefused || failure.status === 409 || failure.status === 423;
    },
    // What is needed to go on is kept with the name and the description, in pending-uploads.ts.
    storeFingerprintForResuming: false,
    onBeforeRequest: authorise,
    // A clock that is off, here or there, lets a token end before its time: a new one is good for the next try.
    onAfterResponse: async (_request: HttpRequest, answer: Answer) => {
      if (failedWith(answer).isTokenRefused) await auth.refreshSession();
    },
  };
  return {
    async open({ file, path, contentType, url, onUrl, onProgress, onArrived, onDone, onFailed }) {
      const { Upload } = await import('tus-js-client');
      const upload = new Upload(file, {
        ...shared,
        endpoint,
        // An address of elsewhere, from other settings, must not be given the session.
        uploadUrl: url?.startsWith(`${endpoint}/`) === true ? url : null,
        metadata: { bucketName: userFilesBucket, objectName: path, contentType, cacheControl: '3600' },
        onUploadUrlAvailable: () => upload.url !== null && onUrl(upload.url),
        onProgress,
        onChunkComplete: onArrived,
        onSuccess: onDone,
        onError: (error) => onFailed(failureOf(error)),
      });
      return { start: () => upload.start(), stop: () => upload.abort() };
    },
    async giveUp(url) {
      if (!url.startsWith(`${endpoint}/`)) return;
      const { Upload } = await import('tus-js-client');
      await Upload.terminate(url, shared);
    },
  };
}

function failureOf(error: unknown): TransferFailed {
  const answer =
    error instanceof Error && 'originalResponse' in error ? (error.originalResponse as Answer | null) : null;
  return failedWith(answer, error);
}

function failedWith(answer: Answer | null, cause?: unknown): TransferFailed {
  return new TransferFailed(answer?.getStatus() ?? null, answer?.getBody() ?? '', { cause });
}

interface Answer {
  getStatus: () => number;
  getBody: () => string | undefined;
}
