const answers = ['access_token', 'error', 'error_code'];
const toolPaths = /^\/(auth|account|dataset-selector|explorer|upload-data)(\/|$)/;

/**
 * Links of mails come back with the answer of the authentication service behind the `#`, sometimes to a public page,
 * which has no one to read it. Gives the address of a page that has; `null` where there is nothing to move.
 */
export function authAnswerPath({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): string | null {
  const params = new URLSearchParams(hash.slice(1));
  if (!answers.some((name) => params.has(name)) || toolPaths.test(pathname)) return null;
  return `/dataset-selector${hash}`;
}
