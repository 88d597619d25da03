import fontAddress from '@/lib/fonts/inter-common.woff2?url';

/** Font that figures are laid out in, as a data URL; `null` if unavailable. The page has already loaded it. */
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
 * Embeds the font in a server SVG: an SVG shown as an image can use only embedded and system fonts, and few systems
 * have Inter. Without the font it falls back to a system font.
 */
export async function withFont(svg: Blob, font: string | null): Promise<Blob> {
  if (font === null) return svg;
  const face = `<style>@font-face{font-family:Inter;font-weight:100 900;src:url(${font})}</style>`;
  const text = await svg.text();
  const inside = text.indexOf('>') + 1;
  return new Blob([text.slice(0, inside), face, text.slice(inside)], { type: 'image/svg+xml' });
}
