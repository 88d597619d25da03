interface SmallImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const shrink = 4;

/** An image with alpha at a quarter of its size: blocks of pixels are averaged, so that edges may fall between. */
export function shrunk(image: { width: number; height: number; data: Uint8Array }): SmallImage {
  const width = Math.floor(image.width / shrink);
  const height = Math.floor(image.height / shrink);
  const pixels = new Uint8Array(3 * width * height);
  const { data } = image;
  const stride = 4 * image.width;
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const first = y * shrink * stride + 4 * x * shrink;
      let [red, green, blue] = [0, 0, 0];
      for (let row = first; row < first + shrink * stride; row += stride) {
        for (let at = row; at < row + 4 * shrink; at += 4) {
          red += data[at]!;
          green += data[at + 1]!;
          blue += data[at + 2]!;
        }
      }
      for (const sum of [red, green, blue]) pixels[to++] = Math.round(sum / (shrink * shrink));
    }
  }
  return { width, height, pixels };
}

export function countDifferent(a: Uint8Array, b: Uint8Array, tolerance: number): number {
  let different = 0;
  for (let i = 0; i < a.length; i += 3) {
    const farthest = Math.max(
      Math.abs(a[i]! - b[i]!),
      Math.abs(a[i + 1]! - b[i + 1]!),
      Math.abs(a[i + 2]! - b[i + 2]!),
    );
    if (farthest > tolerance) different++;
  }
  return different;
}
