import { isAuthError, isAuthRetryableFetchError } from '@supabase/auth-js';

/**
 * The message of the authentication service, or the fallback where it said nothing: a connection that fails or is
 * ended reaches the client library with the browser's words for it, an outage with an empty message or the literal `{}`.
 */
export function serviceMessage(error: unknown, fallback: string): string {
  if (!isAuthError(error) || isAuthRetryableFetchError(error) || error.name === 'AuthUnknownError') {
    return fallback;
  }
  const message = error.message.trim();
  return message === '' || message === '{}' ? fallback : message;
}
