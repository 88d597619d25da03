/**
 * Kind of a column's values, judged by its name: `individual` for organisms and samples of one; `label` for names that
 * others may share, such as the first replicate of each condition; `attribute` for properties that individuals share,
 * technical or clinical. Undefined if the name fits none.
 */
export type UnitName = 'individual' | 'label' | 'attribute';

const individuals = words(
  'patient donor individual subject participant person proband animal mouse mice rat fish zebrafish',
  'monkey macaque pig embryo fetus foetus larva pup specimen',
);
const labels = words('replicate rep hashtag hto hash');
/** Words beside the noun that do not change its meaning: `mouse_id`, `biological.replicate`. */
const qualifiers = words(
  'id ids no nr num number name code label key identifier uid anonymous biological bio max',
);
const attributes = words(
  'batch chemistry chip flowcell lane plate pool run library sequencer sequencing date day week month year time timepoint',
  'sex gender age condition treatment treated group disease diagnosis status state stage grade response responder site',
  'tissue organ region location strain genotype background species organism ethnicity race ancestry cohort study center',
  'centre institute hospital smoking smoker bmi dose method protocol assay technology platform kit technician',
  'development arm type class category phenotype outcome therapy drug perturbation guide control case project dataset',
  'source preparation processing passage diet severity infection vaccine mutation',
);

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

export function unitName(column: string): UnitName | undefined {
  const parts = wordsOf(column);
  const isOf = (nouns: ReadonlySet<string>) =>
    parts.some((part) => nouns.has(part)) && parts.every((part) => nouns.has(part) || qualifiers.has(part));
  if (isOf(individuals)) return 'individual';
  if (isOf(labels)) return 'label';
  // `donor_sex` and `mouse_strain` are attributes: their nouns say whose.
  return parts.some((part) => attributes.has(part)) ? 'attribute' : undefined;
}

function wordsOf(column: string): string[] {
  const lower = column.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return lower.split(/[^a-z]+/).flatMap((word) => (word === '' ? [] : singular(word)));
}

function singular(word: string): string {
  const isKnown = (one: string) => individuals.has(one) || labels.has(one) || attributes.has(one);
  return [word, word.replace(/s$/, ''), word.replace(/es$/, '')].find(isKnown) ?? word;
}
