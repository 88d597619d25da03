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

/** How the samples of a file that was combined from several are worked on, or those among some cells of a dataset. */
export interface CombinedSamples {
  readonly doublets: 'remove' | 'mark' | 'keep';
  /** Column of obs with the sample of each cell, in which doublets are found; null: all cells are one; else by its name. */
  readonly sampleColumn?: string | null | undefined;
  /** Doublets are looked for by default: not where memory does not suffice. */
  readonly doubletsByDefault?: boolean;
  /** Of the scores of all samples; found in each by default. */
  readonly doubletThreshold?: number;
  readonly integrate: IntegrationChoice;
  /** Column of obs with the batch of each cell; absent: its samples, where the file names a column of them. */
  readonly batchColumn?: string;
  /** Column of obs with known types of cells, where there is one. */
  readonly typeColumn?: string;
  /** Of further clusterings. */
  readonly resolutions: readonly number[];
  /** What is known of the files; nothing where there were none. */
  readonly source: Pick<SamplesRecord, 'genes' | 'files'>;
}

/** What is done with the samples of a combined file, as chosen or by default; `report` is that of the file. */
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
 * What is done with the samples among some cells of a dataset: nothing but what was chosen. Doublets are looked for where
 * all cells of a sample are.
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

/** Steps for the samples within one file; undefined for none. */
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

/** The known types of cells, where there are several. */
function typesOf(report: PreflightReport): Pick<CombinedSamples, 'typeColumn'> {
  const typeColumn = report.roles.find(({ role }) => role === 'cellType')?.chosen;
  const types = report.columns.find(({ name }) => name === typeColumn)?.categories ?? 0;
  return typeColumn !== undefined && types > 1 ? { typeColumn } : {};
}

/** Merged groups that a record and a message name. */
const maxMerged = 20;
const maxNamed = 5;

/** The choice as processing takes it. Throws H5adError where a column is not there. */
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

/** All that was done with the samples, with its figures. */
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

/** Histograms of the largest samples alone: they are for looking at, and told again with each answer. */
function withHistograms(groups: readonly DoubletGroup[]): DoubletGroup[] {
  const largest = new Set(groups.toSorted((a, b) => b.cells - a.cells).slice(0, maxHistograms));
  return groups.map((group) => {
    if (largest.has(group)) return group;
    const { histogram: _, ...rest } = group;
    return rest;
  });
}

/** Over all cells of the groups; 1 where there are none. */
function meanShare(groups: readonly KeptGroup[], of: (group: KeptGroup) => number): number {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  return cells === 0 ? 1 : groups.reduce((sum, group) => sum + group.cells * of(group), 0) / cells;
}

/** What a user should look at. */
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
      message: `${integrationMethods[integration.method].name} merged cells that differ. Neighbours of a cell are less often of its own ${integration.typeColumn === undefined ? 'cluster within its sample' : integration.typeColumn}: ${new Intl.ListFormat('en-GB').format(named)}. Look at X_umap_unintegrated, and do not take these for one population; another method may keep them apart, and without integration (--integrate none) samples stay as they are.`,
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

/** What was done before the components were found, in sentences: every filter says how many cells it took. */
export function combinedLines({ genes, files }: SamplesRecord): string[] {
  if (genes === undefined || files === undefined) return [];
  const left = countText(genes.ofAny - genes.shared);
  const whose = `${files.length} files (matched by ${genes.matchedBy === 'ids' ? 'Ensembl ids' : 'names'})`;
  if (genes.ofAny === genes.shared)
    return [`All ${countText(genes.shared)} genes are in each of the ${whose}.`];
  return [
    genes.kept === 'shared'
      ? `${countText(genes.shared)} genes are in all ${whose} and were kept; ${left} that some files lack were left out.`
      : `${countText(genes.ofAny)} genes are in any of the ${whose} and were kept; ${left} of them are not in all, and have no counts where they are missing.`,
  ];
}

/** What integration did to samples and groups of cells, and the further clusterings. */
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
