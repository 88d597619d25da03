/**
 * ln(n!) for n from 0 to `max`. The logarithms are summed with the error of each addition carried along
 * (Neumaier), so that each entry is right to its last bits even after 100,000 terms.
 */
export function logFactorials(max: number): Float64Array {
  const table = new Float64Array(max + 1);
  let sum = 0;
  let lost = 0;
  for (let n = 2; n <= max; n++) {
    const term = Math.log(n);
    const next = sum + term;
    lost += sum >= term ? sum - next + term : term - next + sum;
    sum = next;
    table[n] = sum + lost;
  }
  return table;
}
