/**
 * The message of the authentication service, or the fallback where it has none: an outage reaches the client
 * library as an empty message or the literal `{}`.
 */
export function serviceMessage(error: unknown, fallback: string): string {
  const message = error instanceof Error ? error.message.trim() : '';
  return message === '' || message === '{}' ? fallback : message;
}
