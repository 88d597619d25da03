import type { DatasetTerms } from '@cellfolio/contract';
import { labelColumnOf, termsOfLabels } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { termTable } from '../ontology/index.ts';

/** Maximum ids in an answer and in a line of the catalogue: a column of ids may be any text. */
const maxTerms = 2000;
const maxCharacters = 200;

/** Columns of ontology ids with the ids of each label; ids without a column of labels have those of the ontology. */
export async function termsOf(dataset: Dataset): Promise<DatasetTerms> {
  const { obsColumnNames: names } = dataset;
  let left = maxTerms;
  const columns: DatasetTerms['columns'] = [];
  for (const name of names) {
    const label = labelColumnOf(name);
    if (label === undefined) continue;
    const labels = names.includes(label) ? await dataset.obs(label) : undefined;
    const terms = termsOfLabels(await dataset.obs(name), labels)
      .map(({ label: text, ids }) => ({
        label: labels === undefined ? (termTable.term(text)?.label ?? text) : text,
        ids: ids.filter(({ id }) => id.length <= maxCharacters).slice(0, left),
      }))
      .filter(({ ids }) => (left -= ids.length) >= 0 && ids.length > 0);
    if (terms.length > 0) columns.push({ column: label, term_column: name, terms });
  }
  return { columns };
}
