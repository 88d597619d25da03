/**
 * The error message of a link from a mail, which the authentication service puts into the fragment; `null` if none.
 */
export function authLinkError(hash: string): string | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  return params.has('error') ? (params.get('error_description') ?? params.get('error')) : null;
}
