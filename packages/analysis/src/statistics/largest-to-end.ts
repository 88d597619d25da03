/**
 * Hoare's selection: the largest values come last, the least of these first among them. In time linear in the values, where
 * sorting them would take most of the time.
 */
export function moveLargestToEnd(values: Float64Array, count: number): void {
  const place = values.length - count;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const other = values[i]!;
      values[i++] = values[j]!;
      values[j--] = other;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else return;
  }
}
