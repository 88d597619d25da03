import { countText, type Caution, type OtherFeatures } from '@cellfolio/model';
import type { GeneFeatures } from './gene-features.ts';

/** What a user must know of features that are no genes, and of rows that say nothing clear. */
export function featureCautions(features: GeneFeatures | undefined): Caution[] {
  if (features === undefined) return [];
  const { column, kept, others, untyped, unknownTypes } = features;
  const cautions: Caution[] = [];
  if (others.length > 0) {
    cautions.push({
      code: 'other-features',
      message: `By var/${column}, ${countText(kept.length)} features are genes, ${listed(others)}. What is not a gene stays in the file: it is not normalised with the genes, not processed, not searched and not tested.`,
      numbers: {
        genes: kept.length,
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
  const keptUnknown = unknownTypes.filter((type) => !others.some((other) => other.type === type));
  if (keptUnknown.length > 0) {
    cautions.push({
      code: 'unknown-feature-types',
      message: `var/${column} calls no feature Gene Expression; those called ${keptUnknown.join(', ')} are taken for genes.`,
      numbers: { types: keptUnknown },
    });
  }
  return cautions;
}

/** `110 are Antibody Capture and 4 are Custom`. */
export function listed(others: readonly OtherFeatures[]): string {
  return new Intl.ListFormat('en-GB').format(
    others.map(({ type, count }) => `${countText(count)} ${count === 1 ? 'is' : 'are'} ${type || 'untyped'}`),
  );
}
