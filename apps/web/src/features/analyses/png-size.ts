/** Width and height in pixels that a PNG says in its head; `null` for what is none. */
export async function pngSize(file: Blob): Promise<{ width: number; height: number } | null> {
  const head = new DataView(await file.slice(0, 24).arrayBuffer());
  if (head.byteLength < 24 || head.getUint32(0) !== 0x89504e47) return null;
  return { width: head.getUint32(16), height: head.getUint32(20) };
}

/** `2,400 × 1,280 pixels`. */
export function pixelWords({ width, height }: { width: number; height: number }): string {
  return `${width.toLocaleString('en-US')} × ${height.toLocaleString('en-US')} pixels`;
}
