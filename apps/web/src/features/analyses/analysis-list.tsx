import { analysisTasks, type ColumnCounts } from '@cellfolio/analyses';
import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { columnListQuery } from '@/features/map/index.ts';
import { cn } from '@/lib/cn.ts';
import { useServices } from '@/lib/services.ts';
import type { AnalysisModule } from './analysis-module.ts';

interface AnalysisListProps {
  modules: readonly AnalysisModule[];
  /** The newest first. */
  lastUsed: readonly AnalysisModule[];
  analysis: DatasetAnalysis;
  onChoose: (module: AnalysisModule) => void;
}

const maxLastUsed = 2;

/** All analyses by what users want to do, those used last first; what the dataset cannot answer says why. */
export function AnalysisList({ modules, lastUsed, analysis, onChoose }: AnalysisListProps) {
  const columns = useColumnCounts(analysis);
  const recent = [...new Set(lastUsed)].slice(0, maxLastUsed);
  const sections = [
    { title: 'Last used', members: recent },
    ...Object.entries(analysisTasks).map(([task, title]) => ({
      title,
      members: modules.filter((module) => module.task === task && !recent.includes(module)),
    })),
  ];
  return (
    <div className="flex flex-col gap-3">
      {sections.map(
        ({ title, members }) =>
          members.length > 0 && (
            <section key={title} aria-label={title}>
              <h4 className="text-muted px-1 pb-0.5 text-xs font-medium">{title}</h4>
              <ul className="flex flex-col">
                {members.map((module) => (
                  <AnalysisEntry
                    key={module.id}
                    module={module}
                    reason={columns && module.impossible?.(columns)}
                    onChoose={() => onChoose(module)}
                  />
                ))}
              </ul>
            </section>
          ),
      )}
    </div>
  );
}

interface AnalysisEntryProps {
  module: AnalysisModule;
  /** Why the dataset does not allow it. */
  reason: string | undefined;
  onChoose: () => void;
}

function AnalysisEntry({ module: { title, question, icon: Icon }, reason, onChoose }: AnalysisEntryProps) {
  const id = useId();
  return (
    <li
      className={cn(
        'relative flex items-start gap-2 rounded-md px-1.5 py-1 transition-colors',
        reason === undefined ? 'hover:bg-surface-2' : 'text-muted',
      )}
    >
      <Icon
        aria-hidden
        className={cn('mt-0.5 size-4 shrink-0', reason === undefined ? 'text-accent' : 'text-muted')}
      />
      <div className="min-w-0">
        {/* The whole entry is clicked. */}
        <button
          type="button"
          aria-describedby={id}
          aria-disabled={reason !== undefined}
          className="rounded-md text-left text-[13px] leading-5 font-medium after:absolute after:inset-0 aria-disabled:cursor-not-allowed"
          onClick={() => reason === undefined && onChoose()}
        >
          {title}
        </button>
        <p id={id} className="text-muted text-xs">
          {reason ?? question}
        </p>
      </div>
    </li>
  );
}

/** Undefined while they load. */
function useColumnCounts({ dataset_filename: filename, version }: DatasetAnalysis): ColumnCounts | undefined {
  const { api } = useServices();
  const list = useQuery(columnListQuery(api, { filename, version })).data;
  return (
    list && {
      groups: list.obs.filter(({ categories = 0 }) => categories > 1).length,
      numbers: list.obs.filter(({ kind }) => kind === 'levels').length,
    }
  );
}

/** Heads the form of the chosen analysis. */
export function ChosenAnalysis({
  module: { title, question },
  onLeave,
}: {
  module: AnalysisModule;
  onLeave: () => void;
}) {
  const head = useRef<HTMLDivElement>(null);
  // The list may have been scrolled down.
  useEffect(() => {
    head.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={head} className="flex flex-col gap-0.5">
      <div className="-ml-1.5 flex items-center gap-1">
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label="All analyses"
          title="All analyses"
          onClick={onLeave}
        >
          <ArrowLeft aria-hidden />
        </Button>
        <h4 className="min-w-0 text-[13px] leading-4 font-semibold">{title}</h4>
      </div>
      <p className="text-muted text-xs">{question}</p>
    </div>
  );
}
