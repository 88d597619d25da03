/** Where the link that confirms an address leads. */
export function confirmedPage(): string {
  return `${location.origin}/dataset-selector`;
}

/** Where the link that resets a password leads. */
export function resetPage(): string {
  return `${location.origin}/auth/reset-password`;
}

/** Where another provider sends its visitors back to; `next` is a path of ours to go on to. */
export function callbackPage(next?: string): string {
  const page = new URL('/auth/callback', location.origin);
  if (next !== undefined) page.searchParams.set('next', next);
  return page.href;
}
