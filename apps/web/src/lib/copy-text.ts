/** Puts a text on the clipboard. @throws where neither way of the browser works */
export async function copyText(text: string): Promise<void> {
  // The modern way needs a secure context; a server in a laboratory is often reached by plain http.
  if ('clipboard' in navigator && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
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
