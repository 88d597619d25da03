import type { FigureContent, FilterRequest } from '@cellfolio/contract';
import { filterRequest } from '@cellfolio/contract';
import { contentAddress } from '@cellfolio/plots/content';

/** Longer filters are not put into the address: browsers and mail programs cut long ones. */
const longestFilter = 1500;
const longestView = 600;

/** What an image shows, as text for an address; `undefined` for what an address does not hold. */
export function viewOf(content: FigureContent): string | undefined {
  const text = contentAddress(content);
  return text === undefined || text.length > longestView ? undefined : text;
}

/** A filter as text for an address; `undefined` where it is too long for one. */
export function filterText(filter: FilterRequest): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(filter));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  return text.length > longestFilter ? undefined : text;
}

/** Reads what {@link filterText} wrote; `undefined` for anything else. */
export function readFilterText(text: string): FilterRequest | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    return filterRequest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}
