const answers = ['access_token', 'error', 'error_code'];
const toolPaths = /^\/(auth|account|dataset-selector|explorer|upload-data)(\/|$)/;

/**
 * Links in mails return with the response of the authentication service in the fragment, sometimes to a public page,
 * which cannot handle it. Returns the address of a page that can; `null` without such a fragment.
 */
export function authAnswerPath({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): string | null {
  const params = new URLSearchParams(hash.slice(1));
  if (!answers.some((name) => params.has(name)) || toolPaths.test(pathname)) return null;
  return `/dataset-selector${hash}`;
}

/**
 * The error message of a link from a mail, which the authentication service puts into the fragment; `null` if none.
 */
export function authLinkError(hash: string): string | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  return params.has('error') ? (params.get('error_description') ?? params.get('error')) : null;
}
