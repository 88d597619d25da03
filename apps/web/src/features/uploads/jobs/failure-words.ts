import { ApiRefusal } from '@/lib/api-errors.ts';

/** Why a call failed, for its user: the server's own words where it gave any. */
export function failureWords(error: unknown): string {
  if (error instanceof ApiRefusal) {
    return error.body === '' || error.code === ''
      ? `The server could not do this (${error.status}). Try again in a minute.`
      : error.body;
  }
  return error instanceof Error ? error.message : 'Something went wrong. Please try again.';
}
