import type { DatasetMetadata } from '@cellfolio/contract';
import { useSearchParams } from 'react-router';

export interface Selection {
  disease: string | null;
  subDisease: string | null;
  dataset: string | null;
}

/** What is chosen on the page. It lives in the address, so that going back from the explorer finds it again. */
export function useSelection() {
  const [params, setParams] = useSearchParams();
  const selection: Selection = {
    disease: params.get('disease'),
    subDisease: params.get('subdisease'),
    dataset: params.get('dataset'),
  };
  const select = ({ disease, subDisease, dataset }: Selection) => {
    const next = new URLSearchParams();
    if (disease !== null) next.set('disease', disease);
    if (subDisease !== null) next.set('subdisease', subDisease);
    if (dataset !== null) next.set('dataset', dataset);
    setParams(next, { replace: true, preventScrollReset: true });
  };
  return { selection, select };
}

/** Datasets of the chosen sub-disease; `undefined` while none is chosen or the address names one that is gone. */
export function datasetsOf(catalogue: DatasetMetadata | undefined, { disease, subDisease }: Selection) {
  return disease === null || subDisease === null ? undefined : catalogue?.[disease]?.[subDisease];
}
