import type { DatasetAnalysis } from '@cellfolio/contract';
import { CircleHelp } from 'lucide-react';
import { useId, useMemo } from 'react';
import { Button } from '@/components/ui/button.tsx';
import type { AnalysisRuns } from '@/features/analyses/index.ts';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { type ExampleQuestion, questionsFor } from './questions.ts';

interface ExampleQuestionsProps {
  dataset: DatasetAnalysis;
  runs: Pick<AnalysisRuns, 'runPrepared' | 'running'>;
  /** Draws genes on the map. */
  onGenes: (genes: readonly string[]) => void;
}

/** Questions that the open dataset can answer, each run by one click. */
export function ExampleQuestions({ dataset, runs, onGenes }: ExampleQuestionsProps) {
  const id = useId();
  const questions = useMemo(() => questionsFor(dataset), [dataset]);
  if (questions.length === 0) return null;
  const answer = (question: ExampleQuestion) => {
    if ('genes' in question) onGenes(question.genes);
    else {
      const module = declaredAnalysis(question.analysis);
      runs.runPrepared(module, module.form.textsOf?.(question.request) ?? {}, dataset);
    }
  };
  return (
    <section aria-labelledby={id} className="flex flex-col gap-1">
      <h3 id={id} className="text-muted text-xs font-medium">
        Start with a question
      </h3>
      <ul className="flex flex-col gap-1">
        {questions.map((question) => (
          <li key={question.text}>
            <Button
              variant="secondary"
              size="sm"
              className="h-auto min-h-8 w-full justify-start py-1.5 text-left whitespace-normal"
              disabled={runs.running !== null}
              onClick={() => answer(question)}
            >
              <CircleHelp aria-hidden className="text-accent" />
              <span className="min-w-0 wrap-anywhere">{question.text}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
