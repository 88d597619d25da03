/** Cells whose products are found at once, so that each centroid is loaded once for all of them. */
const lanes = 4;

/**
 * Adds `share x vector` of each cell to the vectors of the clusters: `into[target(cell) + cluster] += shares[cell, cluster] x
 * vectors[cell]`. Four cells of one target at a time: a sum is loaded and stored once for four products.
 */
export function addShared(
  into: Float64Array,
  {
    vectors,
    width,
    shares,
    count,
  }: { vectors: Float64Array; width: number; shares: Float64Array; count: number },
  cells: Int32Array,
  target = 0,
): void {
  const whole = cells.length - (cells.length % lanes);
  for (let at = 0; at < whole; at += lanes) {
    const a = cells[at]!;
    const b = cells[at + 1]!;
    const c = cells[at + 2]!;
    const d = cells[at + 3]!;
    const [va, vb, vc, vd] = [a * width, b * width, c * width, d * width];
    for (let cluster = 0; cluster < count; cluster++) {
      const sa = shares[a * count + cluster]!;
      const sb = shares[b * count + cluster]!;
      const sc = shares[c * count + cluster]!;
      const sd = shares[d * count + cluster]!;
      const to = (target + cluster) * width;
      for (let i = 0; i < width; i++)
        into[to + i]! +=
          sa * vectors[va + i]! + sb * vectors[vb + i]! + sc * vectors[vc + i]! + sd * vectors[vd + i]!;
    }
  }
  for (let at = whole; at < cells.length; at++) {
    const cell = cells[at]!;
    for (let cluster = 0; cluster < count; cluster++) {
      const share = shares[cell * count + cluster]!;
      const to = (target + cluster) * width;
      for (let i = 0; i < width; i++) into[to + i]! += share * vectors[cell * width + i]!;
    }
  }
}

/** Products of one vector with each of `count` others, of `width` values; four at a time, as one value is loaded for four. */
export function productsWith(
  products: Float64Array,
  {
    vectors,
    from,
    others,
    width,
    count,
  }: {
    vectors: Float64Array;
    from: number;
    others: Float64Array;
    width: number;
    count: number;
  },
): void {
  const whole = count - (count % lanes);
  for (let other = 0; other < whole; other += lanes) {
    const a = other * width;
    const b = a + width;
    const c = b + width;
    const d = c + width;
    let pa = 0;
    let pb = 0;
    let pc = 0;
    let pd = 0;
    for (let i = 0; i < width; i++) {
      const value = vectors[from + i]!;
      pa += value * others[a + i]!;
      pb += value * others[b + i]!;
      pc += value * others[c + i]!;
      pd += value * others[d + i]!;
    }
    products[other] = pa;
    products[other + 1] = pb;
    products[other + 2] = pc;
    products[other + 3] = pd;
  }
  for (let other = whole; other < count; other++) {
    let product = 0;
    for (let i = 0; i < width; i++) product += vectors[from + i]! * others[other * width + i]!;
    products[other] = product;
  }
}
