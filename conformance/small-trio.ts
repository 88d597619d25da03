const geneCount = 120;
const cellCount = 150;
/** Counts of two kinds of cells, always the same. */
const countOf = (gene: number, cell: number): number => {
  const noise = (Math.imul(gene * 7919 + cell * 104_729 + 1, 2_654_435_761) >>> 16) % 6;
  return gene % 2 === cell % 2 ? 3 * noise + 1 : noise;
};
/** A matrix and its two tables, by their names. */
export const smallTrio: Readonly<Record<string, string>> = {
  'small.mtx': [
    '%%MatrixMarket matrix coordinate integer general',
    `${geneCount} ${cellCount} ${geneCount * cellCount}`,
    ...Array.from({ length: geneCount * cellCount }, (_, at) => {
      const gene = at % geneCount;
      const cell = Math.floor(at / geneCount);
      return `${gene + 1} ${cell + 1} ${countOf(gene, cell)}`;
    }),
  ].join('\n'),
  'barcodes.tsv': Array.from({ length: cellCount }, (_, cell) => `CELL${cell}-1`).join('\n'),
  'features.tsv': Array.from(
    { length: geneCount },
    (_, gene) => `ENSG${gene}\tGENE${gene}\tGene Expression`,
  ).join('\n'),
};
