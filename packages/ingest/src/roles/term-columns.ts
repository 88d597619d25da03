import {
  type Caution,
  cutText,
  labelColumnOf,
  listedNames,
  type Table,
  termsOfLabels,
} from '@cellfolio/model';

/** A column of ontology ids beside its column of labels. */
export interface TermColumnReport {
  readonly labels: string;
  readonly column: string;
  readonly terms: number;
}

const shown = { labels: 5, ids: 4, name: 60 } as const;

/** Columns of ontology ids whose labels the file has too, and cautions about labels with several ids. */
export function findTermColumns({ columns }: Table): { terms: TermColumnReport[]; warnings: Caution[] } {
  const reports: TermColumnReport[] = [];
  const warnings: Caution[] = [];
  for (const [name, column] of columns) {
    const labels = labelColumnOf(name);
    const labelled = labels === undefined ? undefined : columns.get(labels);
    if (labels === undefined || labelled === undefined) continue;
    const terms = termsOfLabels(column, labelled);
    if (terms.length === 0) continue;
    const ids = new Set(terms.flatMap((one) => one.ids.map(({ id }) => id)));
    reports.push({ labels, column: name, terms: ids.size });
    const several = terms.filter((one) => one.ids.length > 1);
    if (several.length === 0) continue;
    const examples = several.map(
      ({ label, ids: all }) =>
        `'${cutText(label, shown.name)}' (${listedNames(
          all.map(({ id }) => id),
          shown.ids,
          shown.name,
        )})`,
    );
    warnings.push({
      code: 'several-terms',
      message: `In ${cutText(name, shown.name)} one label of ${cutText(labels, shown.name)} has several ontology ids: ${listedNames(examples, shown.labels)}. The cells keep theirs; check which is meant.`,
    });
  }
  return { terms: reports, warnings };
}
