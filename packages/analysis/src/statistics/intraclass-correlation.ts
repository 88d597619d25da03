interface ClassSums {
  counts: ArrayLike<number>;
  sums: ArrayLike<number>;
  squares: ArrayLike<number>;
}

/**
 * Share of the variance between classes, such as samples, by one-way analysis of variance: ICC(1) of Shrout and Fleiss
 * 1979, for classes of unequal size (Donner 1986). May be negative. Empty classes are ignored; NaN for fewer than two
 * classes, if no class has two members, or if all values are equal.
 */
export function intraclassCorrelation({ counts, sums, squares }: ClassSums): number {
  let [classes, all, sum, square, between, countSquares] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!;
    if (count === 0) continue;
    classes++;
    all += count;
    sum += sums[i]!;
    square += squares[i]!;
    between += sums[i]! ** 2 / count;
    countSquares += count ** 2;
  }
  if (classes < 2 || all <= classes) return NaN;
  const meanBetween = Math.max(0, between - sum ** 2 / all) / (classes - 1);
  const meanWithin = Math.max(0, square - between) / (all - classes);
  const size = (all - countSquares / all) / (classes - 1);
  return (meanBetween - meanWithin) / (meanBetween + (size - 1) * meanWithin);
}
