import { type DatasetAnalysis, type MarkerAnalysisRequest, markerAnalysisRequest } from '@cellfolio/contract';
import { CheckSentence } from '@/components/check-list.tsx';
import {
  areValid,
  cellTestDefaults,
  CellTestFields,
  type CellTestForm,
  cellTestRequest,
  NumberFields,
  numberOrZero,
  numberParameter,
  standardsOf,
  ChoiceField,
} from '@/features/analyses/index.ts';
import { BinsField, type Grouping, quartiles, readBins, readChosenBins } from '@/features/map/index.ts';
import { GroupByField } from './group-by-field.tsx';
import { columnOf, isGroupColumn } from './own-column.ts';
import { UnassignedField, unassignedOf } from './unassigned-field.tsx';
import { useGroupColumns } from './use-group-columns.ts';

export interface MarkerForm extends CellTestForm {
  groupBy: string;
  /** Cut of a numeric column, as `ChosenBins` in JSON; empty for a categorical column. */
  bins: string;
  splitBy: string;
  splitBins: string;
  numberOfGenes: string;
  adjustedPValue: string;
  logfoldChange: string;
  minCells: string;
  /** `left-out`, or any other value to use unlabelled cells in the reference of every group. */
  unlabelled: string;
  /** `left-out`, or anything else for groups like the others. */
  unassigned: string;
}

const { n_genes, pvals_adj, logfoldchanges, min_cells } = markerAnalysisRequest.shape;

const markerNumbers = [
  { field: 'numberOfGenes', step: 1, ...numberParameter(n_genes) },
  { field: 'adjustedPValue', step: 0.01, ...numberParameter(pvals_adj) },
  { field: 'logfoldChange', step: 0.05, ...numberParameter(logfoldchanges) },
  { field: 'minCells', step: 1, ...numberParameter(min_cells) },
] as const;

export const markerDefaults: MarkerForm = {
  groupBy: '',
  bins: '',
  splitBy: '',
  splitBins: '',
  ...standardsOf(markerNumbers),
  unlabelled: 'reference',
  ...cellTestDefaults,
  unassigned: 'groups',
};

export function markerRequest(form: MarkerForm): MarkerAnalysisRequest {
  return {
    ...groupingOf(form),
    n_genes: Math.trunc(numberOrZero(form.numberOfGenes)),
    pvals_adj: numberOrZero(form.adjustedPValue),
    logfoldchanges: numberOrZero(form.logfoldChange),
    min_cells: Math.trunc(numberOrZero(form.minCells)),
    unlabelled: form.unlabelled === 'left-out' ? 'left-out' : 'reference',
    ...unassignedOf(form),
    ...cellTestRequest(form),
  };
}

function groupingOf(form: MarkerForm): Pick<MarkerAnalysisRequest, 'groupby' | 'bins' | 'split'> {
  const { groupBy, splitBy } = form;
  const split =
    splitBy === '' || splitBy === groupBy
      ? {}
      : { split: { column: columnOf(splitBy), ...cutOf(form.splitBins) } };
  return { groupby: columnOf(groupBy), ...cutOf(form.bins), ...split };
}

/** Explicit even for the default cut: the server cuts a numeric column only on request. */
function cutOf(bins: string): Pick<Grouping, 'bins'> {
  if (bins === '') return {};
  const read = readBins(chosenBins(bins));
  return { bins: ('bins' in read ? read.bins : undefined) ?? { by: 'quantiles', parts: 4 } };
}

function chosenBins(bins: string) {
  try {
    return readChosenBins(JSON.parse(bins)) ?? quartiles;
  } catch {
    return quartiles;
  }
}

function binsProblem(bins: string): string | undefined {
  const read = bins === '' ? {} : readBins(chosenBins(bins));
  return 'problem' in read ? read.problem : undefined;
}

export function hasGroups(form: MarkerForm, dataset: DatasetAnalysis): boolean {
  return isGroupColumn(dataset, form.groupBy);
}

export function hasValidNumbers(form: MarkerForm): boolean {
  return (
    areValid(markerNumbers, form) &&
    binsProblem(form.bins) === undefined &&
    (form.splitBy === '' || binsProblem(form.splitBins) === undefined)
  );
}

interface MarkerFieldsProps {
  analysis: DatasetAnalysis;
  form: MarkerForm;
  onChange: (change: Partial<MarkerForm>) => void;
}

export function MarkerFields({ analysis, form, onChange }: MarkerFieldsProps) {
  return (
    <>
      <GroupByField
        analysis={analysis}
        groupBy={form.groupBy}
        numbers
        onChange={(groupBy, isNumeric) => onChange({ groupBy, bins: isNumeric ? asUsual : '' })}
      />
      <CutField of="Group By" bins={form.bins} onChange={(bins) => onChange({ bins })} />
      <SplitByField
        analysis={analysis}
        groupBy={form.groupBy}
        splitBy={form.splitBy}
        onChange={(splitBy, isNumeric) => onChange({ splitBy, splitBins: isNumeric ? asUsual : '' })}
      />
      {form.splitBy !== '' && (
        <CutField of="Split By" bins={form.splitBins} onChange={(splitBins) => onChange({ splitBins })} />
      )}
      <NumberFields numbers={markerNumbers} form={form} onChange={onChange} />
      <CheckSentence
        checked={form.unlabelled === 'left-out'}
        onChange={(isOn) => onChange({ unlabelled: isOn ? 'left-out' : 'reference' })}
      >
        Leave out cells without a label. Otherwise they are part of the reference, as in scanpy.
      </CheckSentence>
      <CellTestFields form={form} hasCounts={analysis.raw_counts} onChange={onChange} />
      <UnassignedField
        analysis={analysis}
        groupBy={form.groupBy}
        unassigned={form.unassigned}
        onChange={onChange}
      />
    </>
  );
}

const asUsual = JSON.stringify(quartiles);

function CutField({ of, bins, onChange }: { of: string; bins: string; onChange: (bins: string) => void }) {
  if (bins === '') return null;
  const problem = binsProblem(bins);
  return (
    <>
      <BinsField
        of={of}
        bins={chosenBins(bins)}
        onChange={(next) => onChange(JSON.stringify(next))}
        problem={problem}
      />
      {problem !== undefined && <p className="text-danger text-xs">{problem}</p>}
    </>
  );
}

const maxParts = 60;
/** Placeholder value, since a list choice cannot be empty. */
const notSplit = 'not split';

interface SplitByFieldProps {
  analysis: DatasetAnalysis;
  groupBy: string;
  splitBy: string;
  onChange: (splitBy: string, isNumeric: boolean) => void;
}

function SplitByField({ analysis, groupBy, splitBy, onChange }: SplitByFieldProps) {
  const columns = useGroupColumns(analysis, { max: maxParts, numbers: true });
  const choices = columns.filter(({ value }) => value !== groupBy);
  const isSplit = choices.some(({ value }) => value === splitBy);
  return (
    <ChoiceField
      label="Split By"
      choices={[{ value: notSplit, label: 'Not split' }, ...choices]}
      value={isSplit ? splitBy : notSplit}
      onChange={(chosen) =>
        onChange(
          chosen === notSplit ? '' : chosen,
          choices.find(({ value }) => value === chosen)?.isNumeric === true,
        )
      }
      {...(isSplit && {
        about:
          'Each group is compared with the other cells of its category: T cell · treated with all other treated cells.',
      })}
    />
  );
}
