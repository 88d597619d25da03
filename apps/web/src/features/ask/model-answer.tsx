import { type AnswerPart, columnsOfTool, type ModelUsage, pathSegments } from '@cellfolio/assistant';
import { columnTitle, plural } from '@cellfolio/contract';
import { CautionList } from '@/components/caution-list.tsx';
import { Tooltip } from '@/components/ui/tooltip.tsx';
import { formatCount } from '@/lib/format.ts';
import type { Answer } from './model-run.ts';

export type ValuePart = Extract<AnswerPart, { value: string }>;

export interface AnswerStep {
  readonly title: string;
  readonly tool: string;
}

interface ModelAnswerProps {
  answer: Answer;
  steps: ReadonlyMap<string, AnswerStep>;
  onOpen: (part: ValuePart) => void;
}

/** An answer: sentences whose values open the result that they are of, then what limits it. */
export function ModelAnswer({
  answer: { sentences, cautions, missingGenes, end },
  steps,
  onOpen,
}: ModelAnswerProps) {
  return (
    <section aria-label="Answer" className="flex flex-col gap-2">
      <div aria-live="polite" className="flex flex-col gap-1 text-[13px] leading-5 select-text">
        {sentences.map((parts, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- sentences are only added
          <p key={at} className="wrap-anywhere">
            {parts.map((part, place) =>
              'value' in part ? (
                <ValueButton
                  // oxlint-disable-next-line react/no-array-index-key -- parts do not change
                  key={place}
                  part={part}
                  step={steps.get(part.step)}
                  onOpen={() => onOpen(part)}
                />
              ) : (
                part.text
              ),
            )}
          </p>
        ))}
        {end && sentences.length === 0 && (
          <p className="text-muted">The model wrote no sentence that the results support.</p>
        )}
        {missingGenes.length > 0 && (
          <p className="text-warning wrap-anywhere">Not in the dataset: {missingGenes.join(', ')}.</p>
        )}
      </div>
      <CautionList cautions={cautions} />
      {end && <p className="text-muted text-xs">{endText(end)}</p>}
    </section>
  );
}

function ValueButton({
  part,
  step,
  onOpen,
}: {
  part: ValuePart;
  step: AnswerStep | undefined;
  onOpen: () => void;
}) {
  return (
    <Tooltip label={placeText(part, step)}>
      <button
        type="button"
        className="text-accent decoration-accent/40 hover:bg-accent-soft rounded px-0.5 text-left font-medium underline underline-offset-2"
        onClick={onOpen}
      >
        {part.value}
      </button>
    </Tooltip>
  );
}

/** Where a value stands: step, column and row. */
export function placeText({ step: id, path }: ValuePart, step: AnswerStep | undefined): string {
  const title = step?.title ?? id;
  const [first, row, column] = pathSegments(path);
  if (first !== 'rows' || row === undefined || column === undefined) return `${title}: ${path.slice(1)}`;
  const heading = columnsOfTool(step?.tool ?? '').get(column)?.title ?? columnTitle(column);
  const place = /^\d+$/.test(row) ? `row ${formatCount(Number(row) + 1)}` : `the row with ${row}`;
  return `${title}: ${heading}, ${place}`;
}

function endText({ struck, usage }: NonNullable<Answer['end']>): string {
  const leftOut =
    struck === 0
      ? []
      : [
          `${plural(struck, 'sentence')} left out: ${struck === 1 ? 'it had' : 'they had'} a number or a gene that no result has, or made the answer too long.`,
        ];
  const check = 'Check what matters in the results: sentences can be wrong.';
  return [check, ...leftOut, usageText('The answer', usage)].join(' ');
}

/** Tokens, and their cost, as the provider counts them. */
export function usageText(
  subject: string,
  { input_tokens: input, output_tokens: output, cost }: ModelUsage,
): string {
  if (input === null || output === null) return `${subject}: the provider counts no tokens.`;
  const price = cost ? `, ${Number(cost.amount.toPrecision(2))} ${cost.currency}` : '';
  return `${subject}: ${formatCount(input)} tokens read, ${formatCount(output)} written${price}.`;
}
