import { maxQuestionLength, planByRules } from '@cellfolio/assistant';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, History, Play, Sparkles } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { columnListQuery } from '@/features/map/index.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { askDocsPath } from '@/lib/docs.ts';
import { useServices } from '@/lib/services.ts';
import { readTexts, useDraft } from '@/lib/use-draft.ts';
import type { AskHost, RunnableStep, StepEnd } from './ask-host.ts';
import { exampleQuestions } from './examples.ts';
import { columnFacts, factsFor } from './plan-facts.ts';
import { modelName, useModelOffer } from './model-offer.ts';
import { runnableStep } from './runnable-step.ts';
import { DoneMark, StepCard } from './step-card.tsx';
import { wordsOfStep } from './step-words.ts';

const maxRecent = 5;

/** The questions of this dataset in this tab, newest first. */
function useRecentQuestions({ draftKey }: Pick<AskHost, 'draftKey'>) {
  return useDraft<string[]>(`${draftKey}:questions`, [], readTexts);
}

interface AskHintsProps {
  host: AskHost;
  onChoose: (question: string) => void;
  /** About who answers. */
  children: ReactNode;
}

/** The last questions, and examples of the names of the dataset. */
export function AskHints({ host, onChoose, children }: AskHintsProps) {
  const { api } = useServices();
  const { analysis, index } = host;
  const [recent] = useRecentQuestions(host);
  const list = useQuery(
    columnListQuery(api, { filename: analysis.dataset_filename, version: analysis.version }),
  ).data;
  const examples = useMemo(
    () => exampleQuestions(columnFacts(analysis, list), (name) => index.spelling.get(name.toLowerCase())),
    [analysis, list, index],
  );
  const others = examples.filter((question) => !recent.includes(question));
  return (
    <div className="flex flex-col gap-2 border-t px-2 pt-2 pb-2.5">
      {recent.length > 0 && (
        <Questions title="Your last questions" questions={recent} isRecent onChoose={onChoose} />
      )}
      {others.length > 0 && <Questions title="Examples" questions={others} onChoose={onChoose} />}
      {children}
    </div>
  );
}

export function RulesNote() {
  return (
    <p className="text-muted px-1 text-xs">
      Answered by rules and names of the dataset, without a language model.{' '}
      <a
        href={askDocsPath}
        target="_blank"
        rel="noopener"
        className="text-accent underline underline-offset-2"
      >
        What can be asked
      </a>
    </p>
  );
}

interface QuestionsProps {
  title: string;
  questions: readonly string[];
  isRecent?: true;
  onChoose: (question: string) => void;
}

function Questions({ title, questions, isRecent, onChoose }: QuestionsProps) {
  return (
    <section aria-label={title}>
      <h3 className="text-muted px-1 text-xs font-medium">{title}</h3>
      <ul>
        {questions.map((question) => (
          <li key={question}>
            <Button
              variant="ghost"
              size="sm"
              className="h-auto min-h-7 w-full justify-start px-1 py-1 text-left font-normal whitespace-normal"
              onClick={() => onChoose(question)}
            >
              {isRecent && <History aria-hidden className="text-muted" />}
              <span className="min-w-0 wrap-anywhere">{question}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ShownStep {
  readonly id: string;
  readonly purpose: string;
  readonly runnable: RunnableStep;
}

interface ShownPlan {
  readonly steps: readonly ShownStep[];
  readonly cannot: string | null;
}

interface AskPanelProps {
  question: string;
  host: AskHost;
  onClose: () => void;
  onAskModel: () => void;
}

/** The plan of a question. */
export function AskPanel({ question, host, onClose, onAskModel }: AskPanelProps) {
  const { api } = useServices();
  const client = useQueryClient();
  const { analysis, index } = host;
  const [, setRecent] = useRecentQuestions(host);
  useEffect(() => {
    if (question.length > maxQuestionLength) return;
    setRecent((before) => [question, ...before.filter((other) => other !== question)].slice(0, maxRecent));
  }, [question, setRecent]);
  const plan = useQuery({
    queryKey: ['plan', analysis.dataset_filename, analysis.version, question],
    queryFn: async (): Promise<ShownPlan> => {
      const facts = await factsFor(question, { analysis, index, api, client });
      const { steps, cannot } = planByRules(question, facts);
      return {
        steps: steps.map((step) => ({
          id: step.id,
          purpose: step.purpose,
          runnable: runnableStep(step, analysis.columns),
        })),
        cannot,
      };
    },
    staleTime: Infinity,
    retry: false,
  });
  return (
    <div className="flex max-h-[45dvh] flex-col gap-2 overflow-y-auto border-t p-2.5 max-sm:max-h-none">
      {plan.isPending && (
        <p role="status" className="text-muted flex items-center gap-2 text-[13px]">
          <Spinner />
          Reading the question...
        </p>
      )}
      {plan.isError && (
        <Alert variant="danger" role="alert">
          <CircleAlert aria-hidden />
          <span className="min-w-0 flex-1 wrap-anywhere">
            The names could not be looked up. {reasonOf(plan.error)}.
          </span>
          <Button variant="secondary" size="sm" onClick={() => void plan.refetch()}>
            Try again
          </Button>
        </Alert>
      )}
      {plan.data && <PlanSteps plan={plan.data} host={host} onClose={onClose} />}
      {plan.data?.steps.length === 0 && <AskModelNext host={host} onAskModel={onAskModel} />}
    </div>
  );
}

/** The next step where rules have no plan. */
function AskModelNext({ host, onAskModel }: { host: AskHost; onAskModel: () => void }) {
  const { model, refusal } = useModelOffer(host);
  if (refusal !== undefined) return <p className="text-muted text-xs">{refusal}</p>;
  if (model === undefined) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      className="h-auto min-h-8 py-1 whitespace-normal"
      onClick={onAskModel}
    >
      <Sparkles aria-hidden />
      <span className="min-w-0 wrap-anywhere">Ask the model ({modelName(model)})</span>
    </Button>
  );
}

function PlanSteps({ plan, host, onClose }: { plan: ShownPlan; host: AskHost; onClose: () => void }) {
  const [steps, setSteps] = useState<readonly ShownStep[]>(plan.steps);
  const { ends, running, run } = useStepRuns(host);
  const runnable = steps.filter((step) => host.refusal?.(step.runnable) === undefined);
  const rest = runnable.filter(({ id }) => ends.get(id) !== 'done');
  const heading = useRef<HTMLHeadingElement>(null);
  const remove = (step: ShownStep) => {
    setSteps((before) => before.filter((one) => one !== step));
    if (steps.length === 1) onClose();
    else heading.current?.focus();
  };
  return (
    <>
      {plan.cannot !== null && (
        <Alert variant={steps.length === 0 ? 'warning' : 'neutral'} role="status">
          <CircleAlert aria-hidden />
          <span className="min-w-0 wrap-anywhere">{plan.cannot}</span>
        </Alert>
      )}
      {steps.length > 0 && (
        <section aria-label="Plan" className="flex flex-col gap-2">
          <h3 ref={heading} tabIndex={-1} className="sr-only">
            Plan
          </h3>
          <p role="status" className="sr-only">
            {steps.length === 1 ? 'The plan has one step.' : `The plan has ${steps.length} steps.`}
          </p>
          <ol className="flex flex-col gap-2">
            {steps.map((step) => (
              <Step
                key={step.id}
                step={step}
                host={host}
                end={ends.get(step.id)}
                isRunning={running === step.id}
                isBusy={running !== null}
                onRemove={() => remove(step)}
              />
            ))}
          </ol>
          {running === null ? (
            <Button size="sm" disabled={rest.length === 0} onClick={() => void run(rest)} className="w-full">
              <Play aria-hidden />
              {runLabel(rest.length, steps.length)}
            </Button>
          ) : (
            <Button size="sm" variant="secondary" onClick={host.cancel} className="w-full">
              Cancel
            </Button>
          )}
        </section>
      )}
    </>
  );
}

export function runLabel(rest: number, all: number): string {
  if (rest === 0) return 'Run';
  if (rest === all) return all === 1 ? 'Run' : `Run ${all} steps`;
  return rest === 1 ? 'Run the other step' : `Run the other ${rest} steps`;
}

/** Runs steps in their order, until one does not end well. */
function useStepRuns(host: AskHost) {
  const latest = useRef(host);
  useEffect(() => {
    latest.current = host;
  });
  const [ends, setEnds] = useState<ReadonlyMap<string, StepEnd>>(new Map());
  const [running, setRunning] = useState<string | null>(null);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const run = async (steps: readonly ShownStep[]): Promise<void> => {
    for (const step of steps) {
      setRunning(step.id);
      // oxlint-disable-next-line no-await-in-loop -- the steps have an order
      const end = await latest.current.run(step.runnable);
      if (!isMounted.current) return;
      setEnds((before) => new Map([...before, [step.id, end]]));
      if (end !== 'done') break;
    }
    setRunning(null);
  };
  return { ends, running, run };
}

interface StepProps {
  step: ShownStep;
  host: AskHost;
  end: StepEnd | undefined;
  isRunning: boolean;
  isBusy: boolean;
  onRemove: () => void;
}

function Step({ step, host, end, isRunning, isBusy, onRemove }: StepProps) {
  const refusal = host.refusal?.(step.runnable);
  return (
    <StepCard
      words={wordsOfStep(step.runnable)}
      purpose={step.purpose}
      status={isRunning ? <Spinner /> : end === 'done' && <DoneMark />}
      onEdit={isBusy ? undefined : host.formOf?.(step.runnable)}
      onRemove={isBusy ? undefined : onRemove}
    >
      <p role="status" className="text-xs empty:hidden">
        {end === 'canceled' && <span className="text-muted">Canceled.</span>}
        {end instanceof Error && <span className="text-danger wrap-anywhere">{reasonOf(end)}.</span>}
      </p>
      {refusal !== undefined && <p className="text-warning text-xs">{refusal}</p>}
    </StepCard>
  );
}
