import type { ModelSuggestion } from '@cellfolio/contract';
import { type ResultCaution as Caution, countText, listedNames, pluralWord } from '@cellfolio/model';
import { otherNameCautions } from '../../runtime/gene-names/named-genes.ts';
import type { Classification } from './classifications.ts';

/** Above this share of missing genes, scores depend on few of the genes that the model was trained with. */
const manyMissing = 0.2;
const fewCells = 30;
const maxNamesListed = 5;

export function classificationCautions(
  { model, found, renamed }: Classification,
  suggestions: readonly ModelSuggestion[],
): Caution[] {
  const missing = model.genes.length - found.length;
  const small = suggestions.filter(({ cells }) => cells < fewCells);
  const isUnclear = suggestions.filter(({ suggestion }) => suggestion === null).length;
  const lacking: Caution[] =
    missing >= manyMissing * model.genes.length
      ? [
          {
            code: 'model-genes-missing',
            message: `The dataset lacks ${countText(missing)} of the ${countText(model.genes.length)} genes of the model: probabilities rely on the others and are less certain than they look. Check the gene names.`,
            numbers: { missing, genes: model.genes.length },
          },
        ]
      : [];
  const smallGroups: Caution[] =
    small.length > 0
      ? [
          {
            code: 'small-groups',
            message: `Fewer than ${fewCells} cells: ${listedNames(
              small.map(({ group, cells }) => `${group} (${cells})`),
              maxNamesListed,
            )}. A few other cells would change their vote: merge them, or check their genes.`,
            numbers: { limit: fewCells, groupCount: small.length },
          },
        ]
      : [];
  return [
    {
      code: 'model-knows-its-types',
      message: `The model knows ${countText(model.types.length)} types: a cell of any other type gets the most similar one, sometimes with a high probability. ${countText(isUnclear)} of ${countText(suggestions.length)} groups ${pluralWord(isUnclear, 'is', 'are')} Unclear. Check the genes before you label cells.`,
      numbers: { types: model.types.length, groups: suggestions.length, unclear: isUnclear },
    },
    ...lacking,
    ...otherNameCautions(renamed, 'the model'),
    ...smallGroups,
  ];
}
