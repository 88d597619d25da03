import { answeredQuestion, type AnsweredQuestion, answeredQuestionList } from '@cellfolio/assistant';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Download, MessagesSquare, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { reasonOf } from '@/lib/api-errors.ts';
import { fileNamePart, saveFile } from '@/lib/files.ts';
import { longDate, longDateTime } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import type { AskHost } from './ask-host.ts';
import { ModelAnswer, type ValuePart } from './model-answer.tsx';
import { historyKey, storedAnswer } from './model-run.ts';
import { type OpenedStep, StepResult } from './step-result.tsx';
import { wordsOfPlanStep } from './step-words.ts';

interface QuestionHistoryProps {
  host: AskHost;
  onOpen: (id: string) => void;
}

/** The questions that a model has answered about this dataset. */
export function QuestionHistory({ host, onOpen }: QuestionHistoryProps) {
  const { api } = useServices();
  const filename = host.analysis.dataset_filename;
  const history = useQuery({
    queryKey: historyKey(filename),
    queryFn: ({ signal }) =>
      api({
        path: `/api/datasets/${encodeURIComponent(filename)}/questions`,
        answer: answeredQuestionList,
        signal,
      }),
  });
  return (
    <section aria-label="Answered questions">
      <h3 className="text-muted px-1 text-xs font-medium">Answered questions</h3>
      {history.isPending && <p className="text-muted px-1 text-xs">Loading...</p>}
      {history.isError && (
        <p role="status" className="text-danger px-1 text-xs wrap-anywhere">
          The questions could not be loaded. {reasonOf(history.error)}
        </p>
      )}
      {history.data?.questions.length === 0 && (
        <p className="text-muted px-1 text-xs">The model has answered no question about this dataset yet.</p>
      )}
      <ul className="max-h-48 overflow-y-auto">
        {history.data?.questions.map(({ id, question, asked_at: time }) => (
          <li key={id}>
            <Button
              variant="ghost"
              size="sm"
              className="h-auto min-h-7 w-full justify-start px-1 py-1 text-left font-normal whitespace-normal"
              onClick={() => onOpen(id)}
            >
              <MessagesSquare aria-hidden className="text-muted" />
              <span className="min-w-0 flex-1 wrap-anywhere">{question}</span>
              <span className="text-muted text-xs whitespace-nowrap">
                {longDate(new Date(time).toISOString())}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AnsweredPanelProps {
  id: string;
  host: AskHost;
  onClose: () => void;
}

/** A question of the history. */
export function AnsweredPanel({ id, host, onClose }: AnsweredPanelProps) {
  const { api } = useServices();
  const stored = useQuery({
    queryKey: ['model-question', id],
    queryFn: ({ signal }) =>
      api({ path: `/api/questions/${encodeURIComponent(id)}`, answer: answeredQuestion, signal }),
    staleTime: Infinity,
  });
  return (
    <div className="flex max-h-[60dvh] flex-col gap-2 overflow-y-auto border-t p-2.5 max-sm:max-h-none">
      {stored.isPending && (
        <p role="status" className="text-muted flex items-center gap-2 text-[13px]">
          <Spinner />
          Loading the answer...
        </p>
      )}
      {stored.isError && (
        <Alert variant="danger" role="alert">
          <CircleAlert aria-hidden />
          <span className="min-w-0 wrap-anywhere">{reasonOf(stored.error)}</span>
        </Alert>
      )}
      {stored.data && <Answered stored={stored.data} host={host} onClose={onClose} />}
    </div>
  );
}

function Answered({
  stored,
  host,
  onClose,
}: {
  stored: AnsweredQuestion;
  host: AskHost;
  onClose: () => void;
}) {
  const { api } = useServices();
  const client = useQueryClient();
  const { dataset_filename: filename, version, columns } = host.analysis;
  const [opened, setOpened] = useState<OpenedStep | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      api({
        path: `/api/questions/${encodeURIComponent(stored.id)}`,
        method: 'DELETE',
        answer: answeredQuestionList,
      }),
    onSuccess: (left) => {
      client.setQueryData(historyKey(filename), left);
      onClose();
    },
  });
  const steps = new Map(
    stored.plan.steps.map((step) => [
      step.id,
      { title: wordsOfPlanStep(step, columns).title, tool: step.tool },
    ]),
  );
  const open = (part: ValuePart) => {
    const step = steps.get(part.step);
    const calls = stored.steps.find((one) => one.step === part.step)?.calls ?? [];
    if (step) setOpened({ ...step, calls, part });
  };
  const exportCalls = () =>
    saveFile(
      new Blob([JSON.stringify(stored, null, 2)], { type: 'application/json' }),
      `${fileNamePart(stored.question)}.json`,
    );
  return (
    <>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <h3 className="text-[13px] font-medium wrap-anywhere">{stored.question}</h3>
          <p className="text-muted text-xs">
            {longDateTime(new Date(stored.asked_at).toISOString())}
            {stored.version !== version && ', about an earlier version of the dataset'}
          </p>
        </div>
        <Button variant="ghost" size="icon-sm" aria-label="Close the answered question" onClick={onClose}>
          <X aria-hidden />
        </Button>
      </div>
      <ModelAnswer answer={storedAnswer(stored)} steps={steps} onOpen={open} />
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={exportCalls}>
          <Download aria-hidden />
          Export
        </Button>
        <Button variant="danger" size="sm" disabled={remove.isPending} onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden />
          Delete
        </Button>
      </div>
      <p role="status" className="text-danger text-xs empty:hidden">
        {remove.isError && `The question was not deleted. ${reasonOf(remove.error)}`}
      </p>
      <ConfirmQuestion
        open={isDeleting}
        title="Delete this question?"
        action="Delete"
        onAction={() => remove.mutate()}
        onClose={() => setDeleting(false)}
      >
        Its answer and the calls that give its results again are deleted with it.
      </ConfirmQuestion>
      <StepResult opened={opened} onClose={() => setOpened(null)} />
    </>
  );
}
