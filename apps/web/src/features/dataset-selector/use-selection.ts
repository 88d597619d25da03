import type { DatasetMetadata } from '@cellfolio/contract';
import { useSearchParams } from 'react-router';
import { facetPrefix } from './use-facets.ts';

export interface Selection {
  disease: string | null;
  subDisease: string | null;
  dataset: string | null;
}

export type Step = 1 | 2 | 3;

/**
 * What is chosen on the page, and the step that the stepped layout shows. Both live in the address, so that going back
 * from the explorer finds them again; in the stepped layout going back is also the way to the step before.
 */
export function useSelection(stepped: boolean) {
  const [params, setParams] = useSearchParams();
  const selection: Selection = {
    disease: params.get('disease'),
    subDisease: params.get('subdisease'),
    dataset: params.get('dataset'),
  };
  const go = ({ disease, subDisease, dataset }: Selection, step?: Step) => {
    // What the catalogue is searched and narrowed by stays as it is.
    const next = new URLSearchParams(
      [...params].filter(([name]) => name === 'search' || name.startsWith(facetPrefix)),
    );
    if (disease !== null) next.set('disease', disease);
    if (subDisease !== null) next.set('subdisease', subDisease);
    if (dataset !== null) next.set('dataset', dataset);
    if (step !== undefined) next.set('step', String(step));
    // At once: a link that follows the selection must not be one behind when it is clicked next.
    setParams(next, { replace: !stepped, preventScrollReset: true, flushSync: true });
  };
  return {
    selection,
    step: stepOf(params.get('step'), selection),
    select: (next: Selection) => go(next),
    goTo: (step: Step) => go(selection, step),
  };
}

/** The furthest step that the selection allows, or the one before it that is asked for. */
export function stepOf(asked: string | null, { subDisease, dataset }: Selection): Step {
  const furthest: Step = subDisease === null ? 1 : dataset === null ? 2 : 3;
  if (asked === '1') return 1;
  return asked === '2' && furthest === 3 ? 2 : furthest;
}

/** Datasets of the chosen sub-disease; `undefined` while none is chosen or the address names one that is gone. */
export function datasetsOf(catalogue: DatasetMetadata | undefined, { disease, subDisease }: Selection) {
  if (catalogue === undefined || disease === null || subDisease === null) return undefined;
  const branch = new Map(Object.entries(catalogue)).get(disease);
  return branch && new Map(Object.entries(branch)).get(subDisease);
}
