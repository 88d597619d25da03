import type { DecileAnswer, DecileRequest } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { type FactsProps, ResultFacts } from '@/features/analyses/index.ts';
import { ComparisonFacts } from '@/features/comparisons/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { formatCount, percent, plural, pluralWord } from '@/lib/format.ts';

type Ends = DecileAnswer['ends'];

const maxNamed = 40;

export function DecileFacts({ answer, onRun }: FactsProps<DecileAnswer, DecileRequest>) {
  return (
    <>
      <EndFacts answer={answer} />
      <ComparisonFacts
        answer={answer}
        onRun={(request) => {
          const { ends, samples, min_sample_cells, pvals_adj, logfoldchanges } = answer.parameters;
          const { method } = request;
          if (ends === undefined || (method !== 'pseudobulk' && method !== 'wilcoxon')) return;
          onRun({
            ...ends,
            method,
            ...(samples !== undefined && { samples }),
            min_sample_cells,
            pvals_adj,
            logfoldchanges,
          });
        }}
      />
    </>
  );
}

function EndFacts({ answer: { ends, samples, source } }: { answer: DecileAnswer }) {
  const { high, low, composition, untested } = ends;
  const count = ends.samples.length;
  return (
    <ResultFacts
      facts={[]}
      line={
        <>
          <span className="font-medium">Ends:</span> ranked by {ends.ranked_by}
          {samples === null ? '' : ` within ${plural(count, 'sample')}`} · highest {formatCount(high.cells)} (
          {percent(high.share)}), lowest {formatCount(low.cells)} ({percent(low.share)})
          {composition !== null && <> · composition differs by {percent(composition.distance)}</>}
        </>
      }
    >
      <dt>Cells</dt>
      <dd>
        {ends.share} % of the cells of {samples === null ? 'all' : 'each sample'} in each end, including all
        cells tied with the last one: {formatCount(high.tied)} in the highest, {formatCount(low.tied)} in the
        lowest
      </dd>
      {ends.without_value + ends.without_sample > 0 && (
        <>
          <dt>Not ranked</dt>
          <dd>
            {plural(ends.without_value, 'cell')} without a value, {plural(ends.without_sample, 'cell')} of no
            sample
          </dd>
        </>
      )}
      {untested.length > 0 && (
        <>
          <dt>Not tested</dt>
          <dd>
            {untested.slice(0, maxNamed).join(', ')}
            {untested.length > maxNamed && ` and ${formatCount(untested.length - maxNamed)} more`}:{' '}
            {pluralWord(untested.length, 'it', 'they')} chose the cells
          </dd>
        </>
      )}
      {samples !== null && (
        <>
          <dt>Samples</dt>
          <dd>
            <SampleTable ends={ends} title={columnTitle(samples.column)} />
          </dd>
        </>
      )}
      {composition !== null && (
        <>
          <dt>Composition</dt>
          <dd>
            <CompositionTable composition={composition} filename={source?.dataset_filename} />
          </dd>
        </>
      )}
    </ResultFacts>
  );
}

const reasons = { 'few-cells': 'left out: too few cells', 'no-spread': 'left out: only one value' } as const;

function SampleTable({ ends, title }: { ends: Ends; title: string }) {
  const rows = [
    ...ends.samples.map((sample) => ({ ...sample, note: '' })),
    ...ends.left_out.map((sample) => ({ ...sample, note: reasons[sample.reason] })),
  ];
  const hasNotes = ends.left_out.length > 0;
  return (
    <Table aria-label={`Ends of each ${title}`}>
      <TableHeader>
        <TableRow>
          <TableHead>{title}</TableHead>
          <TableHead className="text-right">Cells ranked</TableHead>
          <TableHead className="text-right">Highest</TableHead>
          <TableHead className="text-right">from</TableHead>
          <TableHead className="text-right">Lowest</TableHead>
          <TableHead className="text-right">to</TableHead>
          {hasNotes && <TableHead>Compared</TableHead>}
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {rows.map(({ name, cells, high, low, high_from: from, low_to: to, note }) => (
          <TableRow key={name}>
            <TableCell>{name}</TableCell>
            <TableCell className="text-right">{formatCount(cells)}</TableCell>
            <TableCell className="text-right">{formatCount(high)}</TableCell>
            <TableCell className="text-right">{bound(from)}</TableCell>
            <TableCell className="text-right">{formatCount(low)}</TableCell>
            <TableCell className="text-right">{bound(to)}</TableCell>
            {hasNotes && <TableCell>{note === '' ? 'yes' : note}</TableCell>}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

interface CompositionTableProps {
  composition: NonNullable<Ends['composition']>;
  filename: string | undefined;
}

function CompositionTable({ composition: { column, groups }, filename }: CompositionTableProps) {
  const title = columnTitle(column);
  const { ofColumn } = useCategoryNames(filename);
  const cells = (count: number, share: number) => `${formatCount(count)} (${percent(share)})`;
  return (
    <Table aria-label={`Both ends by ${title}`}>
      <TableHeader>
        <TableRow>
          <TableHead>{title}</TableHead>
          <TableHead className="text-right">Highest</TableHead>
          <TableHead className="text-right">Lowest</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {groups.map(({ name, high, low, share_high: above, share_low: below }) => (
          <TableRow key={name}>
            <TableCell>{ofColumn(column, name)}</TableCell>
            <TableCell className="text-right">{cells(high, above)}</TableCell>
            <TableCell className="text-right">{cells(low, below)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function bound(value: number | null): string {
  return value === null ? '–' : String(Number(value.toPrecision(4))).replace('-', '−');
}
