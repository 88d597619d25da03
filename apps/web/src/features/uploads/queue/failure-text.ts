import { TransferFailed } from './transfer.ts';

const longest = 300;

export const planRequired = {
  title: 'Professional Plan Required',
  description: 'Please upgrade to Professional plan to upload custom data',
};

export function isPlanFailure(error: unknown): boolean {
  return error instanceof TransferFailed
    ? error.status === 403 && !error.isTokenRefused
    : codeOf(error) === '42501';
}

export function failureText(error: unknown): string {
  if (isPlanFailure(error)) return `${planRequired.description}.`;
  if (error instanceof TransferFailed) return transferText(error);
  const message = error instanceof Error || hasMessage(error) ? error.message : '';
  return message === '' ? 'The file could not be listed. Try again.' : cut(message);
}

export function waitingText(error: unknown): string {
  return error instanceof TransferFailed && error.status !== null
    ? 'The server cannot accept the upload right now. It resumes automatically; the uploaded part is kept.'
    : 'Connection lost. The upload resumes automatically; the uploaded part is kept.';
}

function transferText({ status, answer, cause, isTokenRefused }: TransferFailed): string {
  if (isTokenRefused) return 'Your session has ended. Sign in again, then choose the same file to continue.';
  const text = cut(answer.trim());
  switch (status) {
    case null:
      // No response, but not due to the connection: for example, the browser can no longer read the file.
      return cause instanceof Error && /read/i.test(cause.message)
        ? 'The file can no longer be read. It may have been changed or moved; choose it again.'
        : 'The server does not answer. Try again.';
    case 413:
      return text === '' ? 'Not enough storage for this file. Delete files, then try again.' : text;
    default:
      return status >= 500 || text === ''
        ? `The server could not accept the file (${status}). Try again in a minute.`
        : text;
  }
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function hasMessage(error: unknown): error is { message: string } {
  return (
    typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
  );
}
