import type { DatasetMetadata } from '@cellfolio/contract';
import { useSearchParams } from 'react-router';
import type { CatalogueEntry } from './catalogue-entries.ts';
import { entriesOf } from './catalogue-entries.ts';
import { facetPrefix } from './facets.ts';
import type { RecentDataset } from './recent-datasets.ts';

export interface Selection {
  disease: string | null;
  subDisease: string | null;
  dataset: string | null;
}

export type Step = 1 | 2 | 3;

/**
 * The selection, and the current step of the stepped layout. Both are in the URL, so that going back from the explorer
 * restores them; in the stepped layout going back also returns to the previous step.
 */
export function useSelection(stepped: boolean) {
  const [params, setParams] = useSearchParams();
  const step = params.get('step');
  const selection: Selection = {
    disease: params.get('disease'),
    subDisease: params.get('subdisease'),
    dataset: params.get('dataset'),
  };
  const go = ({ disease, subDisease, dataset }: Selection, to?: Step) => {
    // What the catalogue is searched and narrowed by stays as it is.
    const next = new URLSearchParams(
      [...params].filter(([name]) => name === 'search' || name.startsWith(facetPrefix)),
    );
    if (disease !== null) next.set('disease', disease);
    if (subDisease !== null) next.set('subdisease', subDisease);
    if (dataset !== null) next.set('dataset', dataset);
    if (to !== undefined) next.set('step', String(to));
    // At once: a link that follows the selection must not be one behind when it is clicked next.
    setParams(next, { replace: !stepped, preventScrollReset: true, flushSync: true });
  };
  return {
    urlSelection: selection,
    urlStep: step,
    select: (next: Selection) => go(next),
    goTo: (next: Selection, to: Step) => go(next, to),
  };
}

/**
 * The step that follows from the selection, or the requested one if the selection allows it; `completed` includes
 * choices without alternatives.
 */
export function stepOf(requestedStep: string | null, selection: Selection, completed = selection): Step {
  const here = furthestStep(selection);
  const step =
    requestedStep === '1' || requestedStep === '2' || requestedStep === '3'
      ? (Number(requestedStep) as Step)
      : here;
  return step <= furthestStep(completed) ? step : here;
}

export function furthestStep({ subDisease, dataset }: Selection): Step {
  if (subDisease === null) return 1;
  return dataset === null ? 2 : 3;
}

/** Datasets of the chosen sub-disease; `undefined` when none is chosen or the URL names one that is gone. */
export function datasetsOf(catalogue: DatasetMetadata | undefined, { disease, subDisease }: Selection) {
  if (catalogue === undefined || disease === null || subDisease === null) return undefined;
  const branch = new Map(Object.entries(catalogue)).get(disease);
  return branch && new Map(Object.entries(branch)).get(subDisease);
}

export interface UnknownName {
  what: 'disease' | 'sub-disease' | 'dataset';
  name: string;
}

interface ResolvedSelection {
  selection: Selection;
  /** As `selection`, with the dataset if there is only one. */
  completed: Selection;
  /** As `selection`, with the dataset last opened there, or the first: the one displayed before a choice. */
  shown: Selection;
  unknown: UnknownName | null;
}

/** Resolves a URL against a catalogue. URLs are edited by hand, and catalogues change. */
export function resolveSelection(
  catalogue: DatasetMetadata,
  requested: Selection,
  recent: readonly Pick<RecentDataset, 'dataset'>[],
): ResolvedSelection {
  const entries = entriesOf(catalogue);
  const named = namedEntry(entries, requested);
  if (named !== undefined) {
    const selection = selectionOf(named);
    return { selection, completed: selection, shown: selection, unknown: null };
  }
  const diseases = new Map(Object.entries(catalogue));
  const subDiseases = requested.disease === null ? undefined : diseases.get(requested.disease);
  const hasSub =
    subDiseases !== undefined &&
    requested.subDisease !== null &&
    Object.hasOwn(subDiseases, requested.subDisease);
  const selection: Selection = {
    disease: subDiseases === undefined ? null : requested.disease,
    subDisease: hasSub ? requested.subDisease : null,
    dataset: null,
  };
  const within = entries.filter(
    ({ disease, subDisease }) =>
      (selection.disease === null || selection.disease === disease) &&
      (selection.subDisease === null || selection.subDisease === subDisease),
  );
  const [only] = selection.disease !== null && within.length === 1 ? within : [];
  const lastOpened = recent.flatMap((item) => {
    const match = within.find(({ dataset }) => dataset.dataset_filename === item.dataset);
    return match === undefined ? [] : [match];
  });
  const first = lastOpened[0] ?? within[0];
  return {
    selection,
    completed: only === undefined ? selection : selectionOf(only),
    shown: first === undefined ? selection : selectionOf(first),
    unknown: unknownName(requested, selection),
  };
}

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

function unknownName(requested: Selection, resolved: Selection): UnknownName | null {
  if (requested.dataset !== null) return { what: 'dataset', name: requested.dataset };
  if (requested.disease !== null && resolved.disease === null)
    return { what: 'disease', name: requested.disease };
  if (requested.subDisease !== null && resolved.subDisease === null) {
    return { what: 'sub-disease', name: requested.subDisease };
  }
  return null;
}
