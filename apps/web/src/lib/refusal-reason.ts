/**
 * Why the tables refused a row, and what to do: the words that the database has for a limit. Empty for every other
 * failure, whose words are none for a page.
 *
 * @param error What the tables answered, or an error that has it for its cause.
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
 * Why a call of the tables failed, in words for a page. What the tables answer has a code; without one the words are
 * the browser's for a connection that failed.
 */
export function tableFailure(error: unknown): string {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const answered = typeof code === 'string' && code !== '' && typeof message === 'string' ? message : '';
  return refusalReason(error) || answered || 'The server did not answer. Check the connection and try again.';
}
