import {
  type DatasetAnalysis,
  type MapColumnList,
  columnTitle,
  isOfSums,
  type ComparisonDesign,
  type ComparisonRequest,
  comparisonDesign,
} from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { CellTestFields, NumberFields } from '@/features/analyses/index.ts';
import { ColumnField, columnListQuery } from '@/features/map/index.ts';
import { UnassignedField } from '@/features/markers/index.ts';
import { SidesField } from '@/features/sample-design/index.ts';
import { useServices } from '@/lib/services.ts';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible.tsx';
import { Label } from '@/components/ui/form.tsx';
import { useSetsAtHand } from '@/features/cell-sets/index.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { plural, pluralWord } from '@/lib/format.ts';
import {
  type ComparisonForm,
  comparisonRequestOf,
  comparisonNumbers,
  isComplete,
  methodOf,
  typeColumnOf,
  withinOf,
  moderationOptions,
} from './comparison-form.ts';
import { DesignFields } from './design-fields.tsx';
import { MethodField, SamplesField } from './method-fields.tsx';

/** Parameters that do not affect the design, so that changing a threshold requests no new one. */
const thresholds = { pvals_adj: undefined, logfoldchanges: undefined };

interface ComparisonFieldsProps {
  analysis: DatasetAnalysis;
  form: ComparisonForm;
  onChange: (change: Partial<ComparisonForm>) => void;
}

export function ComparisonFields({ analysis, form, onChange }: ComparisonFieldsProps) {
  const { api } = useServices();
  const dataset = { filename: analysis.dataset_filename, version: analysis.version };
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const method = methodOf(form, analysis);
  return (
    <>
      <SidesField dataset={dataset} form={form} onChange={onChange} />
      <WithinField analysis={analysis} columns={columns} form={form} onChange={onChange} />
      <MethodField analysis={analysis} form={form} onChange={onChange} />
      <SamplesField analysis={analysis} form={form} columns={columns} onChange={onChange} />
      {isOfSums(method) && (
        <DesignFields
          columns={columns}
          form={form}
          hasRandomEffect={method === 'pseudobulk'}
          onChange={onChange}
        >
          {isComplete(form, analysis) && (
            <DesignPreview
              opened={`${dataset.filename}@${dataset.version}`}
              request={{ ...comparisonRequestOf(form, analysis), ...thresholds }}
            />
          )}
        </DesignFields>
      )}
      {method === 'pseudobulk' && <ModerationFields form={form} onChange={onChange} />}
      {!isOfSums(method) && (
        <CellTestFields form={form} hasCounts={analysis.raw_counts} onChange={onChange} />
      )}
      <NumberFields numbers={comparisonNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        The table has every gene. Genes below the p-value and at or above the fold change (1 = doubling) are
        counted and coloured.
      </p>
    </>
  );
}

/** Which cells are compared with each other: those of each type, unless types are what is compared. */
function WithinField({
  analysis,
  columns,
  form,
  onChange,
}: ComparisonFieldsProps & { columns: MapColumnList['obs'] }) {
  const types = typeColumnOf(form, analysis);
  const within = withinOf(form, analysis);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <ColumnField
        label="Within each group of"
        columns={columns}
        chosen={within}
        none="All cells together"
        onChoose={(chosen) => onChange({ within: chosen, together: chosen === '' ? 'yes' : '' })}
      />
      {within !== '' && (
        <UnassignedField
          analysis={analysis}
          groupBy={within}
          unassigned={form.unassigned}
          onChange={onChange}
        />
      )}
      {types !== undefined && (within === types || within === '') && (
        <p className="text-muted text-xs">
          {within === ''
            ? `Genes of a group of ${columnTitle(types)} differ if A and B have different shares of it, even if no cell changed. The result shows how much the shares differ.`
            : 'Each group is compared separately, so that different shares of it in A and B do not look like gene changes. Or choose all cells together.'}
        </p>
      )}
    </div>
  );
}

type ModerationForm = Pick<ComparisonForm, (typeof moderationOptions)[number]['field']>;

interface ModerationFieldsProps {
  form: ModerationForm;
  onChange: (change: Partial<ModerationForm>) => void;
}

function ModerationFields({ form, onChange }: ModerationFieldsProps) {
  const id = useId();
  return (
    <Collapsible defaultOpen={moderationOptions.some(({ field }) => form[field] === 'yes')}>
      <CollapsibleTrigger>Options</CollapsibleTrigger>
      <CollapsibleContent className="px-2">
        <ul className="flex flex-col gap-3 py-2">
          {moderationOptions.map(({ field, label, reason }) => (
            <li key={field} className="flex items-start gap-2">
              <Checkbox
                id={`${id}-${field}`}
                aria-describedby={`${id}-${field}-about`}
                checked={form[field] === 'yes'}
                onCheckedChange={(next) => onChange({ [field]: next === true ? 'yes' : '' })}
              />
              <div className="flex min-w-0 flex-col gap-1">
                <Label htmlFor={`${id}-${field}`}>{label}</Label>
                <p id={`${id}-${field}-about`} className="text-muted text-xs">
                  {reason}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </CollapsibleContent>
    </Collapsible>
  );
}

interface DesignPreviewProps {
  /** Filename and version. */
  opened: string;
  request: ComparisonRequest;
}

function DesignPreview({ opened, request }: DesignPreviewProps) {
  const { api } = useServices();
  const { active } = useSetsAtHand();
  const design = useQuery({
    queryKey: ['deg-design', opened, active, request],
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
