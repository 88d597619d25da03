import { inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples of a pixel by colour type: grey, RGB, palette, grey and alpha, RGBA. */
const samples = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/**
 * Size of a PNG in pixels, for tests that need no pixels: decoding takes several times as long as drawing. Throws when
 * rows are missing.
 */
export function pngSize(png: Uint8Array): { width: number; height: number } {
  const file = Buffer.from(png);
  if (!file.subarray(0, 8).equals(signature)) throw new Error('this is no PNG');
  let [width, height, rowBytes] = [0, 0, 0];
  const packed: Buffer[] = [];
  for (let at = 8; ;) {
    const [length, kind] = [file.readUInt32BE(at), file.toString('latin1', at + 4, at + 8)];
    const chunk = file.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height] = [chunk.readUInt32BE(0), chunk.readUInt32BE(4)];
      rowBytes = 1 + Math.ceil((width * chunk[8]! * samples.get(chunk[9]!)!) / 8);
    } else if (kind === 'IDAT') packed.push(chunk);
    else if (kind === 'IEND') break;
    at += 12 + length;
  }
  const { length } = inflateSync(Buffer.concat(packed));
  if (length !== height * rowBytes)
    throw new Error(`${length} bytes instead of ${height} rows of ${rowBytes}`);
  return { width, height };
}
