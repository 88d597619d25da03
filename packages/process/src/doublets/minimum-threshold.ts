const binCount = 256;
const maxIterations = 10_000;

/**
 * Valley between the two modes of some values: their histogram is smoothed with a mean of three bins until two maxima
 * are left, and the lowest bin between them is taken (Prewitt and Mendelsohn 1966,
 * doi:10.1111/j.1749-6632.1965.tb11715.x; as scikit-image's `threshold_minimum`). Undefined if the values do not have
 * two modes.
 */
export function minimumThreshold(values: Float64Array): number | undefined {
  const { counts, centres } = histogram(values);
  let smooth: Float32Array = Float32Array.from(counts);
  for (let iteration = 0; iteration < maxIterations - 1; iteration++) {
    smooth = meanOfThree(smooth);
    const maxima = maximaOf(smooth);
    if (maxima.length > 2) continue;
    const [first, last] = maxima;
    if (first === undefined || last === undefined) return undefined;
    let lowest = first;
    for (let bin = first; bin <= last; bin++) if (smooth[bin]! < smooth[lowest]!) lowest = bin;
    return centres[lowest]!;
  }
  return undefined;
}

/** Bins of equal width from the minimum to the maximum, which is in the last; as in numpy's `histogram`. */
function histogram(values: Float64Array): { counts: Float64Array; centres: Float64Array } {
  let lowest = Infinity;
  let greatest = -Infinity;
  for (const value of values) {
    if (value < lowest) lowest = value;
    if (value > greatest) greatest = value;
  }
  if (lowest === greatest) [lowest, greatest] = [lowest - 0.5, greatest + 0.5];
  const step = (greatest - lowest) / binCount;
  const edges = Float64Array.from({ length: binCount + 1 }, (_, edge) =>
    edge === binCount ? greatest : lowest + edge * step,
  );
  const counts = new Float64Array(binCount);
  for (const value of values) {
    let bin = Math.min(binCount - 1, Math.floor(((value - lowest) / (greatest - lowest)) * binCount));
    // The quotient is rounded: the edges decide.
    if (value < edges[bin]!) bin--;
    else if (bin < binCount - 1 && value >= edges[bin + 1]!) bin++;
    counts[bin]! += 1;
  }
  const centres = Float64Array.from({ length: binCount }, (_, bin) => (edges[bin]! + edges[bin + 1]!) / 2);
  return { counts, centres };
}

/**
 * Mean of each bin with its two neighbours, the outermost counted twice, as a running sum in single precision: as
 * scipy's `uniform_filter1d` adds, since rounding can create maxima where the histogram is flat.
 */
function meanOfThree(values: Float32Array): Float32Array {
  const smooth = new Float32Array(values.length);
  const last = values.length - 1;
  const at = (bin: number) => values[Math.min(last, Math.max(0, bin))]!;
  let sum = at(-1) + at(0) + at(1);
  smooth[0] = sum / 3;
  for (let bin = 1; bin <= last; bin++) {
    sum += at(bin + 1) - at(bin - 2);
    smooth[bin] = sum / 3;
  }
  return smooth;
}

/** Bins after which the values fall, having risen; the last bin of a plateau. */
function maximaOf(values: Float32Array): number[] {
  const maxima: number[] = [];
  let rising = true;
  for (let bin = 0; bin + 1 < values.length; bin++) {
    if (rising && values[bin + 1]! < values[bin]!) {
      rising = false;
      maxima.push(bin);
    } else if (!rising && values[bin + 1]! > values[bin]!) rising = true;
  }
  return maxima;
}
