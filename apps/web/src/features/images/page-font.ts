import fontAddress from '@/lib/fonts/inter-common.woff2?url';

/** The font that figures are laid out in, as a data URL; `null` where it cannot be had. The page has loaded it before. */
export async function pageFont(): Promise<string | null> {
  try {
    const answer = await fetch(fontAddress);
    if (!answer.ok) return null;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return `data:font/woff2;base64,${base64Of(bytes)}`;
  } catch {
    return null;
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * An SVG of the server with its font inside: a picture of a page is shown with no fonts but its own, and those of the
 * machine seldom have Inter. Without the font it is shown in one of those.
 */
export async function withFont(svg: Blob, font: string | null): Promise<Blob> {
  if (font === null) return svg;
  const face = `<style>@font-face{font-family:Inter;font-weight:100 900;src:url(${font})}</style>`;
  const text = await svg.text();
  const inside = text.indexOf('>') + 1;
  return new Blob([text.slice(0, inside), face, text.slice(inside)], { type: 'image/svg+xml' });
}
