import { Check, ChevronRight } from 'lucide-react';
import { cn } from '@/lib/cn.ts';
import type { Selection, Step } from './selection.ts';
import { furthestStep } from './selection.ts';

interface StepBarProps {
  step: Step;
  selection: Selection;
  datasetName: string | null;
  onStep: (step: Step) => void;
}

const titles = ['Browse by Disease', 'Select Dataset', 'Dataset Preview'] as const;

export function StepBar({ step, selection, datasetName, onStep }: StepBarProps) {
  const furthest = furthestStep(selection);
  const chosen = [selection.subDisease, datasetName, null] as const;
  return (
    <nav aria-label="Steps" className="mb-4">
      <ol className="flex flex-wrap items-center gap-x-1 gap-y-1">
        {titles.map((title, index) => {
          const number = (index + 1) as Step;
          const current = number === step;
          const done = number < furthest && !current;
          return (
            <li key={title} className="flex min-w-0 items-center gap-1">
              {index > 0 && <ChevronRight aria-hidden className="text-muted size-4 shrink-0" />}
              <button
                type="button"
                disabled={number > furthest}
                aria-current={current ? 'step' : undefined}
                onClick={() => onStep(number)}
                className={cn(
                  'flex min-w-0 items-center gap-2 rounded-md px-2 py-1.5 text-left text-[13px] transition-colors',
                  current ? 'font-medium' : 'text-muted hover:bg-surface-2 disabled:hover:bg-transparent',
                  number > furthest && 'cursor-not-allowed',
                )}
              >
                <span
                  className={cn(
                    'flex size-5.5 shrink-0 items-center justify-center rounded-full text-xs font-semibold tabular-nums',
                    current
                      ? 'bg-accent text-accent-foreground'
                      : done
                        ? 'bg-accent-soft text-accent-soft-foreground'
                        : 'bg-surface-3',
                  )}
                >
                  {done ? <Check aria-hidden className="size-3.5" strokeWidth={3} /> : number}
                </span>
                {/* A phone shows the name of the step it is at, and the numbers of the others. */}
                <span className={cn('min-w-0', !current && 'max-sm:sr-only')}>
                  <span className="sr-only">Step {number}: </span>
                  {title}
                  {chosen[index] !== null && !current && (
                    <span className="text-muted block max-w-60 truncate text-xs">{chosen[index]}</span>
                  )}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
