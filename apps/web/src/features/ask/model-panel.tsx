import { planAnswer, type PlanAnswer, type PlanStep } from '@cellfolio/assistant';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { reasonOf } from '@/lib/api-errors.ts';
import { plural } from '@/lib/format.ts';
import { percentOf } from '@/lib/progress.ts';
import { useServices } from '@/lib/services.ts';
import type { AskHost } from './ask-host.ts';
import { runLabel } from './ask-panel.tsx';
import { ModelAnswer, usageText, type ValuePart } from './model-answer.tsx';
import { ConsentDialog, consentNeededFor } from './model-consent.tsx';
import { type Model, modelName } from './model-offer.ts';
import { cautionsOfResult, type StepState } from './model-run.ts';
import { pageStep } from './runnable-step.ts';
import { DoneMark, StepCard } from './step-card.tsx';
import { type OpenedStep, StepResult } from './step-result.tsx';
import { type StepWords, wordsOfPlanStep } from './step-words.ts';
import { useModelRun } from './use-model-run.ts';

interface ModelPanelProps {
  question: string;
  /** Grows each time that a question is put: the model plans each time. */
  count: number;
  host: AskHost;
  model: Model;
  onClose: () => void;
}

/** The plan of the model for a question, and its answer. */
export function ModelPanel({ question, count, host, model, onClose }: ModelPanelProps) {
  const { api } = useServices();
  const { dataset_filename: filename, version } = host.analysis;
  const plan = useQuery({
    queryKey: ['model-plan', filename, version, question, count],
    queryFn: ({ signal }) =>
      api({
        path: '/api/assistant/plan',
        body: { question, dataset: { filename, version }, cells: host.model?.cells },
        answer: planAnswer,
        signal,
      }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  return (
    <div className="flex max-h-[60dvh] flex-col gap-2 overflow-y-auto border-t p-2.5 max-sm:max-h-none">
      {plan.isFetching && (
        <div className="flex items-center gap-2 text-[13px]">
          <Spinner />
          <p role="status" className="text-muted min-w-0 flex-1 wrap-anywhere">
            The model plans the steps ({modelName(model)})...
          </p>
          <Button variant="secondary" size="xs" onClick={onClose}>
            Cancel
          </Button>
        </div>
      )}
      {plan.isError && !plan.isFetching && <Failure error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && <ModelPlan answer={plan.data} {...{ question, host, onClose }} />}
    </div>
  );
}

/** The server's sentence, and the question for consent where it needs one. */
function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const needed = consentNeededFor(error);
  const [declined, setDeclined] = useState<Error | null>(null);
  return (
    <>
      <Alert variant={needed ? 'neutral' : 'danger'} role="alert">
        <CircleAlert aria-hidden />
        <span className="min-w-0 flex-1 wrap-anywhere">{reasonOf(error)}</span>
        <Button variant="secondary" size="xs" onClick={needed ? () => setDeclined(null) : onRetry}>
          {needed ? 'Decide' : 'Try again'}
        </Button>
      </Alert>
      <ConsentDialog
        model={declined === error ? undefined : needed}
        onAgreed={onRetry}
        onCancel={() => setDeclined(error)}
      />
    </>
  );
}

interface ModelPlanProps {
  answer: PlanAnswer;
  question: string;
  host: AskHost;
  onClose: () => void;
}

function ModelPlan({ answer, question, host, onClose }: ModelPlanProps) {
  const { plan, problems, missing_genes: missing, version, usage } = answer;
  const [steps, setSteps] = useState<readonly PlanStep[]>(plan.steps);
  const { run, end, isRunning, start, cancel, clear } = useModelRun(host, { question, version });
  const [opened, setOpened] = useState<OpenedStep | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { columns } = host.analysis;
  const words = new Map(steps.map((step) => [step.id, wordsOfPlanStep(step, columns)]));
  const remove = (step: PlanStep) => {
    clear();
    setSteps(numbered(steps.filter((one) => one !== step)));
    if (steps.length === 1) onClose();
    else heading.current?.focus();
  };
  const open = (id: string, part?: ValuePart) => {
    const state = run?.steps.get(id);
    if (state?.kind === 'done') setOpened({ ...state, title: words.get(id)!.title, part });
  };
  return (
    <>
      {(plan.cannot !== null || missing.length > 0) && (
        <Alert variant={steps.length === 0 ? 'warning' : 'neutral'} role="status">
          <CircleAlert aria-hidden />
          <div className="min-w-0 wrap-anywhere">
            {plan.cannot !== null && <p>{plan.cannot}</p>}
            {missing.length > 0 && <p>Not in the dataset: {missing.join(', ')}.</p>}
          </div>
        </Alert>
      )}
      {problems.length > 0 && (
        <ul aria-label="Problems of the plan" className="text-warning list-disc pl-5 text-xs">
          {problems.map(({ step, field, problem }) => (
            <li key={`${step} ${field} ${problem}`} className="wrap-anywhere">
              {[step, field].filter((text) => text !== '').join(', ')}: {problem}
            </li>
          ))}
        </ul>
      )}
      {steps.length > 0 && (
        <section aria-label="Plan" className="flex flex-col gap-2">
          <h3 ref={heading} tabIndex={-1} className="sr-only">
            Plan of the model
          </h3>
          <p role="status" className="sr-only">
            {steps.length === 1 ? 'The plan has one step.' : `The plan has ${steps.length} steps.`}
          </p>
          <ol className="flex flex-col gap-2">
            {steps.map((step) => (
              <ModelStep
                key={`${step.id} ${step.tool}`}
                step={step}
                words={words.get(step.id)!}
                state={run?.steps.get(step.id)}
                isBusy={isRunning}
                onEdit={editOf(step, host)}
                onRemove={() => remove(step)}
                onOpen={() => open(step.id)}
              />
            ))}
          </ol>
          <Button
            size="sm"
            variant={isRunning ? 'secondary' : 'primary'}
            onClick={isRunning ? cancel : () => void start(steps)}
            className="w-full"
          >
            {!isRunning && <Play aria-hidden />}
            {isRunning ? 'Cancel' : run === null ? runLabel(steps.length, steps.length) : 'Run again'}
          </Button>
        </section>
      )}
      <p className="text-muted text-xs">{usageText('The plan', usage)}</p>
      {run &&
        (isRunning || run.answer.end || run.answer.sentences.length > 0 || run.failure !== undefined) && (
          <ModelAnswer
            answer={run.answer}
            steps={new Map(steps.map(({ id, tool }) => [id, { title: words.get(id)!.title, tool }]))}
            onOpen={(part) => open(part.step, part)}
          />
        )}
      {run?.failure !== undefined && (
        <Alert variant="danger" role="alert">
          <CircleAlert aria-hidden />
          <span className="min-w-0 wrap-anywhere">{run.failure}</span>
        </Alert>
      )}
      <p role="status" className="text-muted text-xs empty:hidden">
        {isRunning && isWriting(steps, run?.steps) && 'The model writes the answer...'}
        {end === 'canceled' && 'Canceled.'}
      </p>
      {end instanceof Error && <Failure error={end} onRetry={() => void start(steps)} />}
      <StepResult opened={opened} onClose={() => setOpened(null)} />
    </>
  );
}

/** Plans are numbered without gaps. */
function numbered(steps: readonly PlanStep[]): readonly PlanStep[] {
  return steps.map((step, at) => Object.assign({}, step, { id: `s${at + 1}` }));
}

function editOf(step: PlanStep, host: AskHost): (() => void) | undefined {
  const runnable = pageStep(step, host.analysis.columns);
  return runnable && host.formOf?.(runnable);
}

function isWriting(steps: readonly PlanStep[], states: ReadonlyMap<string, StepState> | undefined): boolean {
  return steps.every(({ id }) => ['done', 'refused'].includes(states?.get(id)?.kind ?? ''));
}

interface ModelStepProps {
  step: PlanStep;
  words: StepWords;
  state: StepState | undefined;
  isBusy: boolean;
  onEdit: (() => void) | undefined;
  onRemove: () => void;
  onOpen: () => void;
}

function ModelStep({ step, words, state, isBusy, onEdit, onRemove, onOpen }: ModelStepProps) {
  const { title } = words;
  const cautions = state?.kind === 'done' ? cautionsOfResult(state.result).length : 0;
  return (
    <StepCard
      words={words}
      purpose={step.purpose}
      status={<StepMark state={state} isBusy={isBusy} />}
      onEdit={isBusy ? undefined : onEdit}
      onRemove={isBusy ? undefined : onRemove}
    >
      {state?.kind === 'running' && state.progress && (
        <div className="flex flex-col gap-1">
          <Progress value={percentOf(state.progress)} aria-label={`Progress of ${title}`} />
          <span className="text-muted text-xs">{state.progress.stage}</span>
        </div>
      )}
      {state?.kind === 'refused' && (
        <p role="status" className="text-danger text-xs wrap-anywhere">
          {state.message}
        </p>
      )}
      {state?.kind === 'done' && (
        <>
          {cautions > 0 && (
            <p className="text-warning text-xs">
              {plural(cautions, 'caution')}: see the answer or the result
            </p>
          )}
          <Button variant="link" size="inline" className="self-start text-xs" onClick={onOpen}>
            Show the result<span className="sr-only"> of {title}</span>
          </Button>
        </>
      )}
    </StepCard>
  );
}

function StepMark({ state, isBusy }: { state: StepState | undefined; isBusy: boolean }) {
  if (state === undefined) return isBusy && <span className="text-muted text-xs">Waiting</span>;
  if (state.kind === 'done') return <DoneMark />;
  if (state.kind === 'refused') return <span className="text-danger text-xs">Failed</span>;
  return isBusy && <Spinner aria-label="Running" />;
}
