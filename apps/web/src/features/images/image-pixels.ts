import type { LibraryImage } from './library-image.ts';

export interface ImagePixels {
  width: number;
  height: number;
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** How large a PNG is, by its first bytes; `null` for another kind of file, and for one that is cut off. */
export async function pixelsOf(file: Blob): Promise<ImagePixels | null> {
  const head = new DataView(await file.slice(0, 24).arrayBuffer());
  if (head.byteLength < 24 || signature.some((byte, at) => head.getUint8(at) !== byte)) return null;
  return { width: head.getUint32(16), height: head.getUint32(20) };
}

/** CSS pixels that a figure is wide, as the server draws it; and the width for print, two columns of a journal. */
const figureWidth = 600;
const printWidth = 2160;
/** The server gives a violin plot of more pixels fewer of them a CSS pixel. */
const mostChartPixels = 8_000_000;

/** How large the server draws a figure for print, and as SVG in CSS pixels, by its size for the screen. */
export function drawnPixels(
  { width, height }: ImagePixels,
  plotKind: LibraryImage['plotKind'],
): { print: ImagePixels; svg: ImagePixels } {
  const svg = { width: figureWidth, height: Math.round((height * figureWidth) / width) };
  const most = plotKind === 'violin' ? Math.sqrt(mostChartPixels / (svg.width * svg.height)) : Infinity;
  const scale = Math.min(printWidth / figureWidth, most);
  return { print: { width: Math.round(svg.width * scale), height: Math.round(svg.height * scale) }, svg };
}

export function pixelsText({ width, height }: ImagePixels): string {
  return `${width} × ${height} px`;
}
