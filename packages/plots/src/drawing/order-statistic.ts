/**
 * The value that stands at `rank` (0 for the least) once `values` are sorted. They are moved in place: none before
 * `rank` is greater afterwards, none behind it less. Quickselect: the time grows with their number, where a sort of
 * 100,000 scores would take longer than drawing them.
 */
export function orderStatistic(values: Float64Array, rank: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left]!, values[(left + right) >> 1]!, values[right]!);
    let low = left;
    let high = right;
    // Equal values stop both sides, so that many of them are shared out instead of making one side empty.
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low <= high) {
        const swapped = values[low]!;
        values[low++] = values[high]!;
        values[high--] = swapped;
      }
    }
    if (rank <= high) right = high;
    else if (rank >= low) left = low;
    else break;
  }
  return values[rank]!;
}

/** numpy's linear percentile of finite values, `part` 0 to 1; moves the values. NaN for none. */
export function percentile(values: Float64Array, part: number): number {
  const rank = part * (values.length - 1);
  const below = Math.floor(rank);
  const low = orderStatistic(values, below);
  if (rank === below) return low;
  // All that stand behind are no less, so the next is the least of them.
  let next = Infinity;
  for (let i = below + 1; i < values.length; i++) if (values[i]! < next) next = values[i]!;
  return low + (next - low) * (rank - below);
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
