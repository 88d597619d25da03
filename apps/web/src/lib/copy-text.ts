export async function copyText(coming: string | Promise<string>): Promise<void> {
  // The Clipboard API needs a secure context; laboratory servers often use plain http.
  if ('clipboard' in navigator && window.isSecureContext) {
    if (typeof coming !== 'string' && 'ClipboardItem' in window) {
      // Some browsers only copy a later text if its promise is passed within the click.
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
  // Inside the open dialog, which traps the focus.
  (document.querySelector('[role=dialog]') ?? document.body).append(carrier);
  try {
    carrier.select();
    if (!document.execCommand('copy')) throw new Error('The browser did not copy.');
  } finally {
    carrier.remove();
  }
}
