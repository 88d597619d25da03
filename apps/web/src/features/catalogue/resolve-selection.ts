import type { DatasetMetadata } from '@cellfolio/contract';
import type { RecentDataset } from './recent-datasets.ts';
import { entriesOf } from './catalogue-entries.ts';
import type { CatalogueEntry } from './catalogue-entries.ts';
import type { Selection } from './use-selection.ts';

export interface UnknownName {
  what: 'disease' | 'sub-disease' | 'dataset';
  name: string;
}

export interface ResolvedSelection {
  /** What the address names and the catalogue has. */
  known: Selection;
  /** As `known`, with the dataset where there is but one to choose. */
  completed: Selection;
  /** As `known`, with the dataset last opened there, or the first: what is shown before one is chosen. */
  shown: Selection;
  /** What the address names and the catalogue does not have. */
  unknown: UnknownName | null;
}

/** What an address stands for in a catalogue. Addresses are edited by hand, and catalogues change. */
export function resolveSelection(
  catalogue: DatasetMetadata,
  asked: Selection,
  recent: readonly Pick<RecentDataset, 'dataset'>[],
): ResolvedSelection {
  const entries = entriesOf(catalogue);
  const named = namedEntry(entries, asked);
  if (named !== undefined) {
    const known = selectionOf(named);
    return { known, completed: known, shown: known, unknown: null };
  }
  const diseases = new Map(Object.entries(catalogue));
  const subDiseases = asked.disease === null ? undefined : diseases.get(asked.disease);
  const hasSub =
    subDiseases !== undefined && asked.subDisease !== null && Object.hasOwn(subDiseases, asked.subDisease);
  const known: Selection = {
    disease: subDiseases === undefined ? null : asked.disease,
    subDisease: hasSub ? asked.subDisease : null,
    dataset: null,
  };
  const within = entries.filter(
    ({ disease, subDisease }) =>
      (known.disease === null || known.disease === disease) &&
      (known.subDisease === null || known.subDisease === subDisease),
  );
  const [only] = known.disease !== null && within.length === 1 ? within : [];
  const lastOpened = recent.flatMap((item) => {
    const found = within.find(({ dataset }) => dataset.dataset_filename === item.dataset);
    return found === undefined ? [] : [found];
  });
  const first = lastOpened[0] ?? within[0];
  return {
    known,
    completed: only === undefined ? known : selectionOf(only),
    shown: first === undefined ? known : selectionOf(first),
    unknown: unknownName(asked, known),
  };
}

/** The dataset that is asked for, where it is said to be or elsewhere. */
function namedEntry(
  entries: readonly CatalogueEntry[],
  { disease, subDisease, dataset }: Selection,
): CatalogueEntry | undefined {
  if (dataset === null) return undefined;
  const named = entries.filter((entry) => entry.dataset.dataset_filename === dataset);
  const fitting = (entry: CatalogueEntry) =>
    Number(entry.disease === disease) * 2 + Number(entry.subDisease === subDisease);
  return named.toSorted((a, b) => fitting(b) - fitting(a))[0];
}

function selectionOf({ disease, subDisease, dataset }: CatalogueEntry): Selection {
  return { disease, subDisease, dataset: dataset.dataset_filename };
}

function unknownName(asked: Selection, known: Selection): UnknownName | null {
  if (asked.dataset !== null) return { what: 'dataset', name: asked.dataset };
  if (asked.disease !== null && known.disease === null) return { what: 'disease', name: asked.disease };
  if (asked.subDisease !== null && known.subDisease === null) {
    return { what: 'sub-disease', name: asked.subDisease };
  }
  return null;
}
