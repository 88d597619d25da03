import {
  deviationScale,
  integrationMethods,
  keptApartText,
  mapNumbers,
  mixingText,
  type ProcessingRecord,
} from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { formatCount, plural } from '@/lib/format.ts';
import { ComponentVariance } from './component-variance.tsx';
import { type Doublets, scoreText } from './doublet-scores.tsx';
import { computedNames, reasonsText, recallText, shareText } from './report-text.ts';

type Thresholds = NonNullable<ProcessingRecord['thresholds']>;

export function ProcessingFacts({ record }: { record: ProcessingRecord }) {
  return (
    <div className="flex flex-col gap-2">
      <FactList facts={processingFacts(record)} />
      <ComponentVariance record={record} />
    </div>
  );
}

export function processingFacts(record: ProcessingRecord) {
  const { thresholds, quality, mixing } = record;
  const { doublets, integration } = record.samples ?? {};
  return [
    { name: 'Computed', value: computedNames(record.computed) },
    ...(record.droplets === undefined ? [] : [{ name: 'Barcodes', value: dropletText(record.droplets) }]),
    { name: 'Cells kept', value: keptOfAll(record) },
    ...(thresholds === undefined ? [] : [{ name: 'Cells need', value: needText(thresholds) }]),
    ...(quality === undefined ? [] : qualityFacts(quality)),
    ...(doublets === undefined ? [] : [{ name: 'Doublets', value: doubletsText(doublets) }]),
    { name: 'Variable genes', value: variableGenesText(record) },
    { name: 'Components', value: componentsText(record) },
    { name: 'Neighbors', value: neighboursText(record) },
    ...integrationFacts(record.samples),
    ...(record.computed.includes('clusters')
      ? [
          {
            name: 'Clusters',
            value: [record, ...(record.samples?.clusterings ?? [])].map(clustersText).join('; '),
          },
        ]
      : []),
    ...(record.computed.includes('embedding') ? [{ name: 'UMAP', value: umapText(record) }] : []),
    ...(mixing === undefined
      ? []
      : [{ name: 'Sample mixing', value: mixingText(mixing, integration?.mixingBefore) }]),
    ...(integration === undefined
      ? []
      : [
          {
            name: integration.typeColumn === undefined ? 'Clusters kept apart' : 'Types kept apart',
            value: keptApartText(integration, record.resolution),
          },
        ]),
    { name: 'Computed by', value: record.computedBy },
  ];
}

function umapText(record: ProcessingRecord): string {
  return Object.entries(mapNumbers)
    .filter(([, { parts }]) => parts.every((part) => part === 'embedding'))
    .map(([name, { title }]) => `${title.toLowerCase()} ${record[name as keyof typeof mapNumbers]}`)
    .join(', ');
}

function variableGenesText({ variableGenes, samples }: ProcessingRecord): string {
  const batch = samples?.batchColumn;
  return `${formatCount(variableGenes)}${batch === undefined ? '' : `, chosen within each ${batch}`}`;
}

/** '50, which hold 34.1 % of the variance of the variable genes (the first 10: 20.3 %)'. */
function componentsText({ components, varianceShares }: ProcessingRecord): string {
  if (varianceShares === undefined) return formatCount(components);
  const varianceText = (count: number) =>
    shareText(varianceShares.slice(0, count).reduce((sum, share) => sum + share, 0));
  const first = components > 10 ? ` (the first 10: ${varianceText(10)})` : '';
  return `${formatCount(components)}, which explain ${varianceText(components)} of the variance of the variable genes${first}`;
}

function clustersText({ clusterCount, resolution }: { clusterCount: number; resolution: number }): string {
  return `${formatCount(clusterCount)} at resolution ${resolution}`;
}

function integrationFacts({
  integration,
  batchColumn,
}: Partial<NonNullable<ProcessingRecord['samples']>> = {}) {
  if (integration === undefined) return [];
  return [
    {
      name: 'Integration',
      value: `${integrationMethods[integration.method].name} over ${batchColumn ?? 'all cells'}`,
    },
  ];
}

/** '1,492 of 21,474 called cells, false discovery rate 0.001, knee 1,739 counts'. */
function dropletText({
  barcodes,
  cells,
  keep,
  knee,
  falseDiscoveryRate,
  minimumCounts,
}: NonNullable<ProcessingRecord['droplets']>): string {
  const countText = `${formatCount(cells)} of ${formatCount(barcodes)}`;
  if (keep === 'all') return `all ${formatCount(barcodes)} kept, including empty droplets`;
  if (keep === 'minimum') return `${countText} with at least ${plural(minimumCounts ?? 0, 'count')}`;
  const bend = knee === undefined ? '' : `, knee at ${plural(knee, 'count')}`;
  return `${countText} called cells (EmptyDrops, false discovery rate ${falseDiscoveryRate}${bend})`;
}

/** '15', with the recall of an approximate search. */
function neighboursText({ neighbours, neighbourRecall, cellsKept }: ProcessingRecord): string {
  if (neighbourRecall === undefined) return formatCount(neighbours);
  return `${formatCount(neighbours)}; neighbors of ${formatCount(cellsKept)} cells were ${recallText(neighbourRecall)}`;
}

/** '10,535 of 10,896; 352 were removed by quality control, 9 as doublets'. */
function keptOfAll(record: ProcessingRecord): string {
  const { quality, samples } = record;
  const removed = [
    [quality?.removed.all ?? 0, 'by quality control'],
    [samples?.doublets?.action === 'removed' ? samples.doublets.called : 0, 'as doublets'],
  ] as const;
  const removedTexts = removed
    .filter(([cells]) => cells > 0)
    .map(([cells, how]) => `${formatCount(cells)} ${how}`);
  return removedTexts.length === 0
    ? keptText(record)
    : `${keptText(record)}; removed ${removedTexts.join(', ')}`;
}

/** '9 of 10,544 called and removed; thresholds found in each sample, 0.303 to 0.346, exceeded by 0.1 % to 0.4 % of simulated doublets'. */
function doubletsText({ action, called, threshold, groups }: Doublets): string {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  const lined = groups.filter((group) => group.threshold !== undefined);
  const range = (values: readonly number[], text: (value: number) => string) => [
    ...new Set([text(Math.min(...values)), text(Math.max(...values))]),
  ];
  const used = range(
    lined.map((group) => group.threshold ?? 0),
    scoreText,
  );
  const detectable = range(
    lined.map((group) => group.detectable ?? 0),
    shareText,
  );
  const each = groups.length > 1 ? ' of each sample' : '';
  const how =
    lined.length === 0
      ? 'no threshold was found'
      : `${threshold === undefined ? `automatic threshold${each}` : 'threshold set by hand'} ${used.join(' to ')}, exceeded by ${detectable.join(' to ')} of simulated doublets`;
  return `${formatCount(called)} of ${formatCount(cells)} called and ${action} (Scrublet${each === '' ? '' : ' within each sample'}); ${how}`;
}

function qualityFacts({
  deviations,
  removed,
  groups,
  sampleColumn,
  mitochondrialGenes,
  cautions,
}: NonNullable<ProcessingRecord['quality']>) {
  // A missing mitochondrial filter has its own line.
  const cautionTexts = cautions.flatMap(({ code, message }) =>
    code === 'no-mitochondrial-genes' ? [] : [message],
  );
  return [
    {
      name: 'Quality control',
      value:
        removed.all === 0 ? 'none removed' : `${formatCount(removed.all)} removed: ${reasonsText(removed)}`,
    },
    ...(mitochondrialGenes > 0
      ? []
      : [{ name: 'Mitochondrial', value: 'no genes found, so no filter was applied' }]),
    ...(deviations === undefined
      ? []
      : [
          {
            name: 'Outlier limit',
            value: `${deviations} median absolute deviations (× ${deviationScale}), of log counts and log genes, where no threshold was set`,
          },
        ]),
    ...(cautionTexts.length === 0 ? [] : [{ name: 'Caution', value: cautionTexts.join(' ') }]),
    ...(groups.length < 2
      ? []
      : [
          {
            name: `Per ${sampleColumn ?? 'sample'}`,
            value: groups.map((group) => (
              <span key={`${group.sample ?? ''} ${group.cells}`} className="block">
                {`${group.sample ?? 'Without a sample'}: ${formatCount(group.cells - group.removed.all)} of ${formatCount(group.cells)} pass quality control, ${needs(group.thresholds) ? 'need ' : ''}${needText(group.thresholds)}`}
              </span>
            )),
          },
        ]),
  ];
}

/** '513 counts, 201 genes'; omits what every cell has. */
function needText(thresholds: Thresholds): string {
  return needs(thresholds) || 'no threshold';
}

function needs({ minimumCounts, minimumGenes, maximumMitochondrial }: Thresholds): string {
  return [
    ...(minimumCounts > 0 ? [plural(Math.ceil(minimumCounts), 'count')] : []),
    ...(minimumGenes > 0 ? [plural(Math.ceil(minimumGenes), 'gene')] : []),
    ...(maximumMitochondrial !== undefined && maximumMitochondrial < 1
      ? [`at most ${shareText(maximumMitochondrial)} mitochondrial`]
      : []),
  ].join(', ');
}

/** '9,871 of 10,000'. */
export function keptText({ cellsKept, cellsBefore }: Pick<ProcessingRecord, 'cellsKept' | 'cellsBefore'>) {
  return `${formatCount(cellsKept)} of ${formatCount(cellsBefore)}`;
}

export function FactList({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs leading-5">
      {facts.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
