import { integrationText, type ProcessingRecord } from '@cellfolio/contract';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { formatCount, plural } from '@/lib/format.ts';
import { DoubletScores } from './doublet-scores.tsx';
import { recallText } from './report-text.ts';

type Samples = NonNullable<ProcessingRecord['samples']>;

export interface SampleStep {
  sample: string;
  file: string;
  inFile: number;
  /** Barcodes that were not cells; removed numbers are negative, here and below. */
  empty: number;
  quality: number;
  /** Not negative if doublets were only marked. */
  doublets: number;
  keptCells: number;
}

type Counted = Exclude<keyof SampleStep, 'sample' | 'file'>;

export function sampleSteps({
  samples,
  quality,
}: Pick<ProcessingRecord, 'samples' | 'quality'>): SampleStep[] {
  return (samples?.files ?? []).map(({ sample, file, cells }) => {
    const group = quality?.groups.find((one) => one.sample === sample);
    const scored = samples?.doublets?.groups.find((one) => one.sample === sample);
    const called = scored?.called ?? 0;
    const empty = group === undefined ? 0 : group.cells - cells;
    // Where all cells had the same thresholds, the search for doublets knows how many of a sample passed.
    const passed = group === undefined ? (scored?.cells ?? cells) : group.cells - group.removed.all;
    const marked = samples?.doublets?.action === 'marked';
    return {
      sample,
      file,
      inFile: cells,
      empty,
      quality: passed - cells - empty,
      doublets: marked ? called : -called,
      keptCells: passed - (marked ? 0 : called),
    };
  });
}

function totalOf(steps: readonly SampleStep[]): SampleStep {
  const sum = (key: Counted) => steps.reduce((all, step) => all + step[key], 0);
  return {
    sample: 'All samples',
    file: '',
    inFile: sum('inFile'),
    empty: sum('empty'),
    quality: sum('quality'),
    doublets: sum('doublets'),
    keptCells: sum('keptCells'),
  };
}

export function SampleSteps({ record }: { record: ProcessingRecord }) {
  const { samples } = record;
  const steps = sampleSteps(record);
  if (samples === undefined) return null;
  const { doublets } = samples;
  const lines = [...doubletLines(doublets), ...integrationLines(samples)];
  if (samples.files === undefined && lines.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      {samples.files !== undefined && (
        <StepsTable steps={steps} doublets={doublets} cellsKept={record.cellsKept} />
      )}
      {doublets !== undefined && <DoubletScores doublets={doublets} />}
      {lines.map((line) => (
        <p key={line} className="text-xs leading-5 wrap-anywhere">
          {line}
        </p>
      ))}
    </div>
  );
}

interface StepsTableProps {
  steps: readonly SampleStep[];
  doublets: Samples['doublets'];
  cellsKept: number;
}

function StepsTable({ steps, doublets, cellsKept }: StepsTableProps) {
  const total = totalOf(steps);
  const withEmpty = steps.some(({ empty }) => empty < 0);
  const columns = [
    ['In the file', 'inFile'],
    ...(withEmpty ? ([['Empty droplets', 'empty']] as const) : []),
    // Which cells of a sample went is not known of every record: no figures that do not add up.
    ...(total.keptCells === cellsKept ? ([['Quality control', 'quality']] as const) : []),
    ...(doublets === undefined
      ? []
      : ([[doublets.action === 'removed' ? 'Doublets' : 'Doublets (marked)', 'doublets']] as const)),
    ...(total.keptCells === cellsKept ? ([['Kept', 'keptCells']] as const) : []),
  ] as const;
  return (
    <Table aria-label="Cells of each sample after each step">
      <TableHeader>
        <TableRow>
          <TableHead>Sample</TableHead>
          {columns.map(([name]) => (
            <TableHead key={name} className="text-right">
              {name}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {[...steps, total].map((step, at) => (
          <TableRow
            key={at === steps.length ? 'total' : `of ${step.sample}`}
            className={at === steps.length ? 'font-medium' : undefined}
          >
            <TableHead scope="row" className="max-w-56 truncate text-left" title={step.file}>
              {step.sample}
            </TableHead>
            {columns.map(([name, key]) => (
              <TableCell key={name} className="text-right tabular-nums">
                {`${step[key] < 0 ? '−' : ''}${formatCount(Math.abs(step[key]))}`}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function doubletLines(doublets: Samples['doublets']): string[] {
  const approximate = (doublets?.groups ?? []).flatMap(({ sample, neighbourRecall }) =>
    neighbourRecall === undefined ? [] : [{ sample, recall: neighbourRecall }],
  );
  const [first, ...others] = approximate.map(({ recall }) => recall);
  if (first === undefined) return [];
  const samplesText =
    others.length > 0
      ? plural(approximate.length, 'sample')
      : (approximate[0]!.sample ?? 'cells without a sample');
  return [`For doublets, neighbors of ${samplesText} were ${recallText(first, ...others)}.`];
}

function integrationLines({ integration, batchColumn }: Samples): string[] {
  if (integration === undefined) {
    return batchColumn === undefined ? [] : [`Batches (${batchColumn}) were not integrated.`];
  }
  const { merged } = integration;
  return [
    integrationText(integration, batchColumn ?? ''),
    ...(merged.length === 0
      ? []
      : [`Merged although they differ: ${merged.map(({ name }) => name).join(', ')}. Compare the maps.`]),
  ];
}
