/** Puts a text on the clipboard, also one that is still on its way. @throws where neither way of the browser works */
export async function copyText(coming: string | Promise<string>): Promise<void> {
  // The modern way needs a secure context; a server in a laboratory is often reached by plain http.
  if ('clipboard' in navigator && window.isSecureContext) {
    if (typeof coming !== 'string' && 'ClipboardItem' in window) {
      // Not every browser lets a page copy what comes after the click, unless it was promised within it.
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': coming })]);
      return;
    }
    await navigator.clipboard.writeText(await coming);
    return;
  }
  const text = await coming;
  const carrier = document.createElement('textarea');
  carrier.value = text;
  carrier.style.position = 'fixed';
  carrier.style.opacity = '0';
  // Inside the open dialog, whose focus is not to be left.
  (document.querySelector('[role=dialog]') ?? document.body).append(carrier);
  try {
    carrier.select();
    if (!document.execCommand('copy')) throw new Error('The browser did not copy.');
  } finally {
    carrier.remove();
  }
}
