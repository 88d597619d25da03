/** Stands for the address of the site in pages that were rendered when it was built; the server fills it in. */
export const originPlaceholder = 'https://site-url.invalid';

let known: string | null = null;

/** Origin of the site as its own pages give it, so that what is rendered here is what was rendered beforehand. */
export function siteOrigin(): string {
  if (typeof document === 'undefined') return originPlaceholder;
  if (known === null) {
    const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
    known = canonical === undefined ? location.origin : new URL(canonical).origin;
  }
  return known;
}
