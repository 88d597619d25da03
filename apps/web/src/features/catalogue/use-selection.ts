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
    /** What the address names, whether or not the catalogue has it. */
    asked: selection,
    askedStep: step,
    select: (next: Selection) => go(next),
    goTo: (next: Selection, to: Step) => go(next, to),
  };
}

/**
 * The step that the selection leads to, or the one that is asked for where the selection allows it, completed by what
 * there is no choice of.
 */
export function stepOf(asked: string | null, selection: Selection, completed = selection): Step {
  const here = furthestStep(selection);
  const step = asked === '1' || asked === '2' || asked === '3' ? (Number(asked) as Step) : here;
  return step <= furthestStep(completed) ? step : here;
}

export function furthestStep({ subDisease, dataset }: Selection): Step {
  if (subDisease === null) return 1;
  return dataset === null ? 2 : 3;
}

/** Datasets of the chosen sub-disease; `undefined` while none is chosen or the address names one that is gone. */
export function datasetsOf(catalogue: DatasetMetadata | undefined, { disease, subDisease }: Selection) {
  if (catalogue === undefined || disease === null || subDisease === null) return undefined;
  const branch = new Map(Object.entries(catalogue)).get(disease);
  return branch && new Map(Object.entries(branch)).get(subDisease);
}
