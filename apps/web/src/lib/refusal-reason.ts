/**
 * The database's message for an exceeded limit; empty for every other failure, whose message is not meant for users.
 * `error`: a response of the tables, or an error with one as its cause.
 */
export function refusalReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, message, hint } = error as Record<string, unknown>;
  if (code === '23514' && typeof hint === 'string') return hint;
  if (code === '23505' && /"subset_metadata_name"/.test(String(message))) {
    return 'Another subset of this dataset has this name. Please choose another name.';
  }
  if ((code === 'over_request_rate_limit' || /^PT4\d\d$/.test(String(code))) && typeof message === 'string') {
    const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
    return typeof hint === 'string' ? `${sentence} ${hint}` : sentence;
  }
  return 'cause' in error ? refusalReason(error.cause) : '';
}

/**
 * The message for a failed call of the tables. An error without a code is the browser's for a failed connection.
 */
export function tableFailure(error: unknown): string {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const answered = typeof code === 'string' && code !== '' && typeof message === 'string' ? message : '';
  return refusalReason(error) || answered || 'The server did not answer. Check the connection and try again.';
}
