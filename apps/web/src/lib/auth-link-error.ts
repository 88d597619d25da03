/**
 * What a link from a mail says when it failed: the authentication service puts it behind the `#` of the address.
 * `null` where the address carries no such message.
 */
export function authLinkError(hash: string): string | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  return params.has('error') ? (params.get('error_description') ?? params.get('error')) : null;
}
