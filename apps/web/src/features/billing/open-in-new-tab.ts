/** The service gave no address that a tab may open. */
export class NoAddress extends Error {
  override readonly name = 'NoAddress';
  readonly given: unknown;

  constructor(given: unknown) {
    super('The service gave no web address.');
    this.given = given;
  }
}

/**
 * Opens an address that is still being asked for in a new tab. The tab opens at once, within the click, because
 * browsers block one that opens later; it closes again when the asking fails. Where even that is blocked the address
 * opens in this tab. Call it directly from the handler of the click. Rejects with what `ask` rejects with, or
 * {@link NoAddress}.
 */
export async function openInNewTab(ask: () => Promise<unknown>): Promise<void> {
  const tab = window.open('', '_blank');
  try {
    const address = webAddress(await ask());
    if (tab === null) {
      location.assign(address);
      return;
    }
    // The page that opens has no hold on this one.
    tab.opener = null;
    tab.location.replace(address);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** The blank tab has the rights of this site, so an address that is a script must not reach it. */
function webAddress(given: unknown): string {
  if (typeof given !== 'string' || !URL.canParse(given, location.origin)) throw new NoAddress(given);
  const address = new URL(given, location.origin);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') throw new NoAddress(given);
  return address.href;
}
