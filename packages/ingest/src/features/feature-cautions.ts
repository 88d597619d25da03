import { countText, type Caution, type OtherFeatures, stringAt, type Table, plural } from '@cellfolio/model';
import type { GeneFeatures } from './gene-features.ts';

export function featureCautions(
  features: GeneFeatures | undefined,
  others: readonly OtherFeatures[],
): Caution[] {
  if (features === undefined) return [];
  const { column, geneRows, untyped, unknownTypes } = features;
  const cautions: Caution[] = [];
  if (others.length > 0) {
    cautions.push({
      code: 'other-features',
      message: `By var/${column}, ${countText(geneRows.length)} features are genes, ${listed(others)}. What is not a gene stays in the file: it is not normalized with the genes, not processed, not searched and not tested.`,
      numbers: {
        genes: geneRows.length,
        types: others.map(({ type }) => type),
        counts: others.map(({ count }) => count),
      },
    });
  }
  if (untyped > 0) {
    cautions.push({
      code: 'untyped-features',
      message: `${countText(untyped)} features have no type in var/${column}; they are taken for genes.`,
      numbers: { features: untyped },
    });
  }
  const keptUnknown = unknownTypes.filter((type) => !features.others.some((other) => other.type === type));
  if (keptUnknown.length > 0) {
    cautions.push({
      code: 'unknown-feature-types',
      message: `var/${column} calls no feature Gene Expression; those called ${keptUnknown.join(', ')} are taken for genes.`,
      numbers: { types: keptUnknown },
    });
  }
  return cautions;
}

export function listed(others: readonly OtherFeatures[]): string {
  return new Intl.ListFormat('en-GB').format(
    others.map(({ type, count }) => `${plural(count, 'is', 'are')} ${type || 'untyped'}`),
  );
}

/** Genome prefixes that Cell Ranger adds to names for references with several genomes: `GRCh38_CD3E`, `mm10___Cd3e`. */
const prefix = /^(GRC[a-z]\d{2}|hg\d{2}|mm\d{1,2}|rn\d|danRer\d+)[\w.-]*?_+(?=[A-Za-z0-9])/;
const maxGenomes = 10;
/** Minimum share of genes with a second prefix; rarer ones are ordinary names. */
const minShare = 0.01;

/** Warning if the genes are of several genomes, as in species mixtures. It has no other effect. */
export function genomeCaution({ columns, index, rowCount }: Table): Caution[] {
  const counts = new Map<string, number>();
  const count = (genome: string): void => void counts.set(genome, (counts.get(genome) ?? 0) + 1);
  const column = columns.get('genome');
  if (column?.kind === 'categorical') for (const code of column.codes) count(column.categories[code] ?? '');
  else if (column?.kind === 'string')
    for (let row = 0; row < rowCount; row++) count(stringAt(column.strings, row));
  else for (let row = 0; row < rowCount; row++) count(prefix.exec(stringAt(index, row))?.[1] ?? '');
  const genomes = [...counts]
    .filter(([genome, genes]) => genome !== '' && genes >= minShare * rowCount)
    .toSorted(([, a], [, b]) => b - a);
  if (genomes.length < 2 || genomes.length > maxGenomes) return [];
  const named = genomes.map(([genome, genes]) => `${genes.toLocaleString('en-US')} of ${genome}`);
  return [
    {
      code: 'several-genomes',
      message: `The genes are of ${genomes.length} genomes: ${named.join(', ')}. All are normalized and processed together; cells of different species then differ in every gene. Split the file by species where that is not what you want.`,
      numbers: { genomes: genomes.map(([genome]) => genome), genes: genomes.map(([, genes]) => genes) },
    },
  ];
}
