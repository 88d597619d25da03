import type { IntegrationChoice, ProcessingChoice, SamplesChoice } from '@cellfolio/contract';
import { partChoice, processingDefaults, samplesDone, samplesOfFile } from '@cellfolio/contract/work';
import type { PreflightReport } from '@cellfolio/ingest';
import {
  countText,
  type Caution,
  type DoubletGroup,
  integrationMethods,
  integrationText,
  keptApartText,
  type KeptGroup,
  mixingText,
  type SamplesRecord,
} from '@cellfolio/model';
import { mergedGroups, type CombineOptions, type ProcessResult } from '@cellfolio/process';
import { doubletCautions } from './doublet-words.ts';
import { maxHistograms } from './file-quality.ts';
import { samplesOf } from './processing-input.ts';

export interface CombinedSamples {
  doublets: 'remove' | 'mark' | 'keep';
  /**
   * Column of obs with the sample of each cell, in which doublets are detected; null: all cells are one sample; absent:
   * detected by its name.
   */
  sampleColumn?: string | null | undefined;
  /** Doublets are detected by default: skipped when memory does not suffice. */
  doubletsByDefault?: boolean;
  /** Threshold for the scores of all samples; default: determined per sample. */
  doubletThreshold?: number;
  integrate: IntegrationChoice;
  /** Column of obs with the batch of each cell; default: the samples, if the file names a column of them. */
  batchColumn?: string;
  typeColumn?: string;
  resolutions: readonly number[];
  /** Information about the source files; empty when there are none. */
  source: Pick<SamplesRecord, 'genes' | 'files'>;
}

/** Processing of the samples of a combined file, as chosen or by default; `report` is that of the file. */
export function combinedSamples(
  source: CombinedSamples['source'],
  choice: SamplesChoice,
  {
    report,
    resolution = processingDefaults.resolution,
  }: { report: PreflightReport; resolution?: number | undefined },
): CombinedSamples {
  const done = samplesDone(choice);
  return {
    ...done,
    sampleColumn: 'sample',
    ...typesOf(report),
    resolutions: done.resolutions.filter((one) => one !== resolution),
    source,
  };
}

/**
 * Processing of the samples among some cells of a dataset: only what was chosen. Doublets are detected in samples that
 * have all of their cells.
 */
export function partSamples(
  choice: SamplesChoice,
  {
    report,
    resolution = processingDefaults.resolution,
  }: { report: PreflightReport; resolution?: number | undefined },
): CombinedSamples {
  const { integrate = 'none', batchColumn, resolutions } = partChoice(choice);
  return {
    doublets: 'keep',
    integrate,
    ...(batchColumn !== undefined && { batchColumn }),
    ...typesOf(report),
    resolutions: resolutions.filter((one) => one !== resolution),
    source: {},
  };
}

/** Processing of the samples within one file; undefined for none. */
export function fileSamples(
  { samples = {}, sampleColumn, resolution = processingDefaults.resolution }: ProcessingChoice,
  report: PreflightReport,
): CombinedSamples | undefined {
  const done = samplesOfFile(samples);
  if (done === undefined) return undefined;
  const { batchColumn, ...others } = done;
  return {
    ...others,
    doubletsByDefault: samples.doublets === undefined && samples.doubletThreshold === undefined,
    ...(done.integrate !== 'none' && { batchColumn: samples.batchColumn ?? sampleColumn ?? batchColumn }),
    sampleColumn,
    ...typesOf(report),
    resolutions: done.resolutions.filter((one) => one !== resolution),
    source: {},
  };
}

function typesOf(report: PreflightReport): Pick<CombinedSamples, 'typeColumn'> {
  const typeColumn = report.roles.find(({ role }) => role === 'cellType')?.chosen;
  const types = report.columns.find(({ name }) => name === typeColumn)?.categories ?? 0;
  return typeColumn !== undefined && types > 1 ? { typeColumn } : {};
}

const maxMerged = 20;
const maxNamed = 5;

/** Converts the choice to processing options. Throws H5adError when a column does not exist. */
export async function combineOptions(path: string, combined: CombinedSamples): Promise<CombineOptions> {
  const { doublets, doubletThreshold, integrate, batchColumn, typeColumn, resolutions } = combined;
  const samples = doublets === 'keep' ? undefined : (await samplesOf(path, combined.sampleColumn)).samples;
  const batches = batchColumn === undefined ? undefined : (await samplesOf(path, batchColumn)).samples;
  const types = typeColumn === undefined ? undefined : (await samplesOf(path, typeColumn)).samples;
  return {
    ...(samples && { samples }),
    ...(doublets !== 'keep' && { doublets, ...(doubletThreshold !== undefined && { doubletThreshold }) }),
    ...(batches && { batches, ...(integrate !== 'none' && { integrate }) }),
    ...(types && { types }),
    resolutions,
  };
}

export function samplesRecord(
  { doublets, integration, clusterings = [] }: ProcessResult,
  {
    source,
    batchColumn,
    typeColumn,
    doublets: choice,
    doubletThreshold,
  }: Omit<CombinedSamples, 'integrate' | 'resolutions'>,
): SamplesRecord {
  return {
    ...source,
    ...(doublets && {
      doublets: {
        action: choice === 'remove' ? ('removed' as const) : ('marked' as const),
        called: doublets.groups.reduce((sum, { called }) => sum + called, 0),
        ...(doubletThreshold !== undefined && { threshold: doubletThreshold }),
        groups: withHistograms(doublets.groups),
      },
    }),
    ...(batchColumn !== undefined && { batchColumn }),
    ...(integration && {
      integration: {
        ...integration.run,
        ...(integration.mixingBefore && { mixingBefore: integration.mixingBefore }),
        ...(integration.judgedBy === 'types' && typeColumn !== undefined && { typeColumn }),
        keptBefore: meanShare(integration.groups, ({ before }) => before),
        keptAfter: meanShare(integration.groups, ({ after }) => after),
        merged: mergedGroups(integration.groups).slice(0, maxMerged),
      },
    }),
    clusterings: clusterings.map(({ resolution, clusterCount }) => ({ resolution, clusterCount })),
  };
}

/** Histograms only of the largest samples: they are for display, and sent with each response. */
function withHistograms(groups: readonly DoubletGroup[]): DoubletGroup[] {
  const largest = new Set(groups.toSorted((a, b) => b.cells - a.cells).slice(0, maxHistograms));
  return groups.map((group) => {
    if (largest.has(group)) return group;
    const { histogram: _, ...rest } = group;
    return rest;
  });
}

/** Mean over all cells of the groups; 1 when there are none. */
function meanShare(groups: readonly KeptGroup[], of: (group: KeptGroup) => number): number {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  return cells === 0 ? 1 : groups.reduce((sum, group) => sum + group.cells * of(group), 0) / cells;
}

export function sampleCautions({ doublets, integration }: SamplesRecord): Caution[] {
  const cautions = doubletCautions(doublets);
  const merged = integration?.merged ?? [];
  if (integration !== undefined && merged.length > 0) {
    const percent = (share: number) => `${Math.round(100 * share)} %`;
    const named = merged
      .slice(0, maxNamed)
      .map(({ name, before, after }) => `${name} (${percent(before)} before, ${percent(after)} after)`);
    cautions.push({
      code: 'integration-merged',
      message: `${integrationMethods[integration.method].name} merged cells that differ. Neighbors of a cell are less often of its own ${integration.typeColumn === undefined ? 'cluster within its sample' : integration.typeColumn}: ${new Intl.ListFormat('en-GB').format(named)}. Check X_umap_unintegrated, and do not treat these as one population; another method may keep them apart, and without integration (--integrate none) samples do not change.`,
      numbers: {
        merged: merged.length,
        worst: merged[0]!.name,
        before: merged[0]!.before,
        after: merged[0]!.after,
      },
    });
  }
  return cautions;
}

/** Steps before the components, in sentences: every filter states how many cells it removed. */
export function combinedLines({ genes, files }: SamplesRecord): string[] {
  if (genes === undefined || files === undefined) return [];
  const left = countText(genes.ofAny - genes.shared);
  const fileWords = `${files.length} files (matched by ${genes.matchedBy === 'ids' ? 'Ensembl ids' : 'names'})`;
  if (genes.ofAny === genes.shared)
    return [`All ${countText(genes.shared)} genes are in each of the ${fileWords}.`];
  return [
    genes.kept === 'shared'
      ? `${countText(genes.shared)} genes are in all ${fileWords} and were kept; ${left} that some files lack were left out.`
      : `${countText(genes.ofAny)} genes are in any of the ${fileWords} and were kept; ${left} of them are not in all, and count as 0 where they are missing.`,
  ];
}

export function integrationLines(
  { integration, batchColumn, clusterings }: SamplesRecord,
  { mixing, settings: { resolution } }: Pick<ProcessResult, 'mixing' | 'settings'>,
): string[] {
  const further = clusterings.map(
    ({ resolution, clusterCount }) =>
      `${clusterCount} clusters were found at the resolution ${resolution} (column leiden_${resolution}).`,
  );
  if (integration === undefined) return further;
  return [
    integrationText(integration, batchColumn ?? ''),
    ...(mixing ? [mixingText(mixing, integration.mixingBefore)] : []),
    keptApartText(integration, resolution),
    ...further,
  ];
}
