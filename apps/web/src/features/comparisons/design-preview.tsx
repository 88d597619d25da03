import {
  columnTitle,
  type ComparisonDesign,
  comparisonDesign,
  type DatasetAnalysis,
} from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useSetsAtHand } from '@/features/cell-sets/index.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { plural, pluralWord } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';

/** Parameters that do not affect the design, so that changing a threshold requests no new one. */
const thresholds = { pvals_adj: undefined, logfoldchanges: undefined };

interface DesignPreviewProps {
  analysis: DatasetAnalysis;
  request: object;
}

/** How the samples would be compared, before the comparison runs. */
export function DesignPreview({ analysis, request: sent }: DesignPreviewProps) {
  const { api } = useServices();
  const request = { ...sent, ...thresholds };
  const { active } = useSetsAtHand();
  const design = useQuery({
    queryKey: ['deg-design', analysis.dataset_filename, analysis.version, active, request],
    queryFn: ({ signal }) =>
      api({ path: '/api/deg-design', body: request, answer: comparisonDesign, signal }),
    staleTime: 5 * 60_000,
    // The last one stays while another is asked for.
    placeholderData: (before) => before,
    // A refusal is the answer.
    retry: false,
  });
  if (design.isError) {
    // Other failures are said by the run.
    if (!(design.error instanceof ApiRefusal) || design.error.status !== 422) return null;
    return (
      <p role="status" className="text-warning text-xs wrap-anywhere">
        {design.error.body}
      </p>
    );
  }
  if (design.data === undefined) return null;
  const { parts, refused, samples, warnings } = design.data;
  const notInModel = leftOutWords(parts);
  const left = parts.reduce((sum, { left_out: samples }) => sum + samples.length, 0);
  return (
    <p role="status" className="text-xs wrap-anywhere tabular-nums">
      {samples.nesting && (
        <span className="block">
          Replicates: {columnTitle(samples.column)} ({samples.reason}).
        </span>
      )}
      {designWords(parts)}
      {notInModel !== '' && ` ${notInModel}`}
      {left > 0 && ` ${plural(left, 'sum')} left out: too few cells, or on one side only.`}
      {warnings.map(({ code, message }) => (
        <span key={code} className="text-warning block">
          {message}
        </span>
      ))}
      {refused.length > 0 && (
        <span className="text-warning block">
          Not testable: {refused.map(({ name }) => name).join(', ')}. {refused[0]!.reason}
        </span>
      )}
    </p>
  );
}

/** `Not in the model: sex, as all samples have one value.` Empty when all covariates are in the model. */
function leftOutWords(parts: ComparisonDesign['parts']): string {
  const because = (reason: ComparisonDesign['parts'][number]['left_out_columns'][number]['reason']) => [
    ...new Set(
      parts.flatMap(({ left_out_columns: columns }) =>
        columns.filter((one) => one.reason === reason).map(({ column }) => column),
      ),
    ),
  ];
  const [constant, absorbed] = [because('constant'), because('held-by-pairs')];
  return [
    ...(constant.length > 0
      ? [
          `Not in the model${parts.length > 1 ? ' of some groups' : ''}: ${constant.join(', ')}, as all samples have one value.`,
        ]
      : []),
    ...(absorbed.length > 0
      ? [`Not in the model: ${absorbed.join(', ')}, as comparing pairs removes its effect.`]
      : []),
  ].join(' ');
}

/** `~ side + batch: 3 + 3 samples, 3 residual degrees of freedom.` */
function designWords(parts: ComparisonDesign['parts']): string {
  if (parts.length === 0) return '';
  const formulas = [...new Set(parts.map(({ formula }) => formula))].join(' or ');
  const sizes = parts.map(({ samples_a: a, samples_b: b }) => ({ total: a + b, text: `${a} + ${b}` }));
  const rising = sizes.toSorted((one, other) => one.total - other.total);
  const [smallest, largest] = [rising[0]?.text, rising.at(-1)?.text];
  const samples = smallest === largest ? `${largest} samples` : `${smallest} to ${largest} samples`;
  if (parts.length > 1) return `${formulas}: ${samples} in ${parts.length} groups.`;
  const degrees = parts[0]?.residual_df ?? 0;
  return `${formulas}: ${samples}, ${degrees} residual ${pluralWord(degrees, 'degree')} of freedom.`;
}
