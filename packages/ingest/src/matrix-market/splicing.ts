import { countText } from '@cellfolio/model';
import type { Orientation } from './cells-of-matrix.ts';
import type { Entries } from './parse-matrix-market.ts';

/**
 * Number of genes of a list in which each occurs three times, as alevin-fry writes it in USA mode: all genes, then all
 * with `-U` (unspliced), then all with `-A` (ambiguous); undefined for other lists
 * (https://alevin-fry.readthedocs.io/en/latest/quant.html).
 */
export function geneCountOfSplicing(rows: readonly (readonly string[])[]): number | undefined {
  const count = rows.length / 3;
  if (!Number.isInteger(count) || count === 0) return undefined;
  for (let gene = 0; gene < count; gene++) {
    const [name = ''] = rows[gene]!;
    if (rows[count + gene]![0] !== `${name}-U` || rows[2 * count + gene]![0] !== `${name}-A`)
      return undefined;
  }
  return count;
}

/**
 * The entries as those of genes: spliced and ambiguous ones under the gene, unspliced ones as zeros, as pyroe and
 * fishpond read them by default. A cell then has up to two entries of a gene.
 */
export async function* addedSplicing(
  batches: AsyncIterable<Entries>,
  orientation: Orientation,
  geneCount: number,
): AsyncGenerator<Entries> {
  const side = orientation === 'features-by-cells' ? 'rows' : 'columns';
  for await (const batch of batches) {
    const { [side]: genes, values, count, header } = batch;
    for (let at = 0; at < count; at++) {
      const gene = genes[at]!;
      if (gene < geneCount) continue;
      genes[at] = gene % geneCount;
      if (gene < 2 * geneCount) values[at] = 0;
    }
    yield { ...batch, header: { ...header, [side]: geneCount } };
  }
}

export function splicingNote(geneCount: number): string {
  return `Each of the ${countText(geneCount)} genes is counted in three parts, as alevin-fry does in USA mode: spliced and ambiguous counts were added up, unspliced ones were left out. For nuclei add all three: pyroe.load_fry("folder", output_format="snRNA").`;
}
