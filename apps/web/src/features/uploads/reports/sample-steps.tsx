import { integrationText, type ProcessingRecord } from '@cellfolio/contract';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { counted, formatCount } from '@/lib/format.ts';
import { DoubletScores } from './doublet-scores.tsx';
import { recallText, shareText } from './report-text.ts';

type Samples = NonNullable<ProcessingRecord['samples']>;

/** What each step of the processing took from each sample; cells. */
export interface SampleStep {
  sample: string;
  file: string;
  inFile: number;
  /** Barcodes that were no cells. */
  empty: number;
  quality: number;
  doublets: number;
  kept: number;
}

export function sampleSteps({
  samples,
  quality,
}: Pick<ProcessingRecord, 'samples' | 'quality'>): SampleStep[] {
  return (samples?.files ?? []).map(({ sample, file, cells }) => {
    const group = quality?.groups.find((one) => one.sample === sample);
    const called = samples?.doublets?.groups.find((one) => one.sample === sample)?.called ?? 0;
    const empty = group === undefined ? 0 : cells - group.cells;
    const removed = group?.removed.all ?? 0;
    const doublets = samples?.doublets?.action === 'removed' ? called : 0;
    return {
      sample,
      file,
      inFile: cells,
      empty,
      quality: removed,
      doublets: called,
      kept: cells - empty - removed - doublets,
    };
  });
}

/** How many cells each step took from each sample, and what integration did. */
export function SampleSteps({ record }: { record: ProcessingRecord }) {
  const { samples } = record;
  const steps = sampleSteps(record);
  if (samples === undefined) return null;
  const { doublets } = samples;
  const lines = [...doubletLines(doublets), ...integrationLines(samples, record.mixing)];
  if (samples.files === undefined && lines.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      {samples.files !== undefined && <StepsTable steps={steps} doublets={doublets} />}
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
}

function StepsTable({ steps, doublets }: StepsTableProps) {
  const withEmpty = steps.some(({ empty }) => empty > 0);
  const columns = [
    ['In the file', 'inFile'],
    ...(withEmpty ? ([['Empty droplets', 'empty']] as const) : []),
    ['Quality control', 'quality'],
    ...(doublets === undefined
      ? []
      : ([[doublets.action === 'removed' ? 'Doublets' : 'Doublets (marked)', 'doublets']] as const)),
    ['Kept', 'kept'],
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
        {steps.map((step) => (
          <TableRow key={step.sample}>
            <TableHead scope="row" className="max-w-56 truncate text-left" title={step.file}>
              {step.sample}
            </TableHead>
            {columns.map(([name, key]) => (
              <TableCell key={name} className="text-right tabular-nums">
                {cellText(step, key)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function cellText(step: SampleStep, key: Exclude<keyof SampleStep, 'sample' | 'file'>): string {
  const value = step[key];
  if (key === 'inFile' || key === 'kept' || value === 0) return formatCount(value);
  return `−${formatCount(value)}`;
}

/** How well doublets were looked for where that is not exact. */
function doubletLines(doublets: Samples['doublets']): string[] {
  const approximate = (doublets?.groups ?? []).flatMap(({ sample, neighbourRecall }) =>
    neighbourRecall === undefined ? [] : [{ sample, recall: neighbourRecall }],
  );
  const [first, ...others] = approximate.map(({ recall }) => recall);
  if (first === undefined) return [];
  const whose =
    others.length > 0
      ? counted(approximate.length, 'sample')
      : (approximate[0]!.sample ?? 'cells without a sample');
  return [`For doublets, neighbours of ${whose} were ${recallText(first, ...others)}.`];
}

function integrationLines(
  { integration, batchColumn }: Samples,
  mixing: ProcessingRecord['mixing'],
): string[] {
  if (integration === undefined) {
    return batchColumn === undefined ? [] : [`Batches (${batchColumn}) were not integrated.`];
  }
  const { mixingBefore, keptBefore, keptAfter, merged, typeColumn } = integration;
  const chance = (samples: number) => shareText(1 / samples);
  return [
    integrationText(integration, batchColumn ?? ''),
    ...(mixingBefore && mixing
      ? [
          `Two neighbours of a cell are of the same sample with a chance of ${chance(mixing.effectiveSamples)}; ${chance(mixingBefore.effectiveSamples)} before, ${chance(mixing.expectedSamples)} if mixed.`,
        ]
      : []),
    `Neighbours of a cell are of its own ${typeColumn ?? 'cluster within its sample'} in ${shareText(keptAfter)}; ${shareText(keptBefore)} before.`,
    ...(merged.length === 0
      ? []
      : [`Merged although they differ: ${merged.map(({ name }) => name).join(', ')}. Compare the maps.`]),
  ];
}
