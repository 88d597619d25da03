import { useEffect, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';
import { demoSteps } from './demo-steps.ts';

const nothing = () => () => {};

/** The step that the address names, and the way to others; arrow keys go there too. */
export function useDemoStep(): { index: number; go: (index: number) => void } {
  const [params, setParams] = useSearchParams();
  // The page as it was rendered beforehand knows no address: it is the first step.
  const here = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  const named = here ? demoSteps.findIndex(({ id }) => id === params.get('step')) : 0;
  const index = Math.max(named, 0);
  const go = (next: number) => {
    const step = demoSteps[next];
    if (step === undefined) return;
    setParams(next === 0 ? {} : { step: step.id }, { replace: true, preventScrollReset: true });
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      if (event.key === 'ArrowRight') go(index + 1);
      if (event.key === 'ArrowLeft') go(index - 1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return { index, go };
}
