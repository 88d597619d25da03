import type { DatasetTerms } from '@cellfolio/contract';
import { isCategorical, labelColumnOf, termColumnOf, termsOfLabels } from '@cellfolio/model';
import { ByteCache, type Dataset } from '@cellfolio/store';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { UserColumn } from '../../runtime/compute/own-columns.ts';
import type { DatasetRef } from '../../runtime/compute/task.ts';
import { termTable } from '../ontology/index.ts';
import { categoryCounts } from './listed-values.ts';

/** Maximum ids in an answer and in a line of the catalogue: a column of ids may be any text. */
const maxTerms = 2000;
const maxCharacters = 200;

const cacheBytes = 16 * 1024 * 1024;

/** Terms of datasets: those of their files, which are cached by version, and of own labels. */
export class DatasetTermsReader {
  readonly #datasets: Pick<OpenDatasets, 'get'>;
  // Text has at most two bytes a character.
  readonly #cache = new ByteCache<string, DatasetTerms>(
    cacheBytes,
    (terms) => 2 * JSON.stringify(terms).length,
  );

  constructor(datasets: Pick<OpenDatasets, 'get'>) {
    this.#datasets = datasets;
  }

  async of({ id, version }: DatasetRef, own: readonly UserColumn[] = []): Promise<DatasetTerms> {
    const key = `${id}@${version}`;
    let terms = this.#cache.get(key);
    if (terms === undefined) {
      terms = await termsOf(await this.#datasets.get({ id, version }));
      this.#cache.set(key, terms);
    }
    return { columns: [...terms.columns, ...own.flatMap(termsOfOwn)] };
  }
}

function termsOfOwn({ name, column }: UserColumn): DatasetTerms['columns'] {
  if (!isCategorical(column) || column.terms === undefined) return [];
  const counts = categoryCounts(column);
  const terms = column.categories.flatMap((label, code) => {
    const id = column.terms![code];
    return id === undefined ? [] : [{ label, ids: [{ id, cells: counts.get(label) ?? 0 }] }];
  });
  return [{ column: name, term_column: termColumnOf(name), terms }];
}

/** Columns of ontology ids with the ids of each label; ids without a column of labels have those of the ontology. */
export async function termsOf(dataset: Dataset): Promise<DatasetTerms> {
  const { obsColumnNames: names, manifest } = dataset;
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
  const { organism: id } = manifest;
  const term_column = termColumnOf('organism');
  if (id !== undefined && !names.includes(term_column)) {
    const terms = [{ label: termTable.term(id)?.label ?? id, ids: [{ id, cells: manifest.cellCount }] }];
    columns.push({ column: 'organism', term_column, terms });
  }
  return { columns };
}
