import { BlobStoreFailed } from './blob-errors.ts';

interface AnswerOfS3 {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Whether a store over the network failed in a way that passes: no answer, one of a server in trouble, or one that broke
 * off. Not where it refused: keys and rights have to be put right by somebody.
 */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof BlobStoreFailed)) return false;
  const { code, $metadata } = (error.cause ?? {}) as AnswerOfS3;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return status >= 500 || status < 300 || status === 429 || status === 408;
  // A code of the system is one of the network, but for those of the disk.
  return code !== undefined
    ? !/^E(?:ACCES|PERM|ROFS|IO|NOTDIR|ISDIR|MFILE|INVAL|EXIST)$/.test(code)
    : $metadata !== undefined || (error.cause as Error | undefined)?.name === 'TimeoutError';
}
