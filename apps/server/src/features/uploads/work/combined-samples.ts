import {
  type IntegrationChoice,
  partChoice,
  processingDefaults,
  type SamplesChoice,
  samplesDone,
} from '@cellfolio/contract';
import type { PreflightReport } from '@cellfolio/ingest';
import {
  countText,
  type Caution,
  integrationMethods,
  integrationText,
  type KeptGroup,
  type SamplesRecord,
} from '@cellfolio/model';
import { mergedGroups, type CombineOptions, type ProcessResult } from '@cellfolio/process';
import { samplesOf } from './processing-input.ts';

/** How the samples of a file that was combined from several are worked on, or those among some cells of a dataset. */
export interface CombinedSamples {
  readonly doublets: 'remove' | 'mark' | 'keep';
  readonly integrate: IntegrationChoice;
  /** Column of obs with the batch of each cell; absent where all cells are one. */
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

/** The known types of cells, where there are several. */
function typesOf(report: PreflightReport): Pick<CombinedSamples, 'typeColumn'> {
  const typeColumn = report.roles.find(({ role }) => role === 'cellType')?.chosen;
  const types = report.columns.find(({ name }) => name === typeColumn)?.categories ?? 0;
  return typeColumn !== undefined && types > 1 ? { typeColumn } : {};
}

/** Merged groups that a record and a message name. */
const maxMerged = 20;
const maxNamed = 5;
/** Where fewer simulated doublets exceed a threshold, it cannot tell doublets from cells. */
const fewDetectable = 0.1;
/** More doublets than this in a sample are more than any loading of a machine makes. */
const manyDoublets = 0.25;

/** The choice as processing takes it. Throws H5adError where a column is not there. */
export async function combineOptions(path: string, combined: CombinedSamples): Promise<CombineOptions> {
  const { doublets, integrate, batchColumn, typeColumn, resolutions } = combined;
  const samples = doublets === 'keep' ? undefined : (await samplesOf(path, 'sample')).samples;
  const batches = batchColumn === undefined ? undefined : (await samplesOf(path, batchColumn)).samples;
  const types = typeColumn === undefined ? undefined : (await samplesOf(path, typeColumn)).samples;
  return {
    ...(samples && { samples }),
    ...(doublets !== 'keep' && { doublets }),
    ...(batches && { batches, ...(integrate !== 'none' && { integrate }) }),
    ...(types && { types }),
    resolutions,
  };
}

/** All that was done with the samples, with its figures. */
export function samplesRecord(
  { doublets, integration, clusterings = [] }: ProcessResult,
  { source, batchColumn, typeColumn, doublets: choice }: CombinedSamples,
): SamplesRecord {
  return {
    ...source,
    ...(doublets && {
      doublets: {
        action: choice === 'remove' ? ('removed' as const) : ('marked' as const),
        called: doublets.groups.reduce((sum, { called }) => sum + called, 0),
        groups: doublets.groups,
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

/** Over all cells of the groups; 1 where there are none. */
function meanShare(groups: readonly KeptGroup[], of: (group: KeptGroup) => number): number {
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  return cells === 0 ? 1 : groups.reduce((sum, group) => sum + group.cells * of(group), 0) / cells;
}

/** What a user should look at. */
export function sampleCautions({ doublets, integration }: SamplesRecord): Caution[] {
  const cautions: Caution[] = [];
  for (const {
    sample = 'all cells',
    cells,
    called,
    threshold,
    detectable = 0,
    skipped,
  } of doublets?.groups ?? []) {
    if (skipped !== undefined) {
      cautions.push({
        code: 'doublets-not-sought',
        message: `Doublets were not looked for in ${sample}: ${skipped === 'few-cells' ? `it has ${countText(cells)} cells, and 50 are needed` : 'too few of its genes vary'}.`,
        numbers: { sample, cells },
      });
    } else if (threshold === undefined) {
      cautions.push({
        code: 'doublets-no-threshold',
        message: `No doublet was called in ${sample}: the scores of simulated doublets have no two modes to draw a line between. The scores of its ${countText(cells)} cells are in doublet_score.`,
        numbers: { sample, cells },
      });
    } else if (detectable < fewDetectable) {
      cautions.push({
        code: 'doublets-not-detectable',
        message: `Doublets of ${sample} can hardly be told from its cells: ${(100 * detectable).toFixed(1)} % of simulated doublets score above the threshold of ${threshold.toFixed(3)}. Most of its doublets are still there; cells of few counts or few types have such scores.`,
        numbers: { sample, cells, threshold, detectable },
      });
    } else if (called > manyDoublets * cells) {
      cautions.push({
        code: 'many-doublets',
        message: `${countText(called)} of ${countText(cells)} cells of ${sample} were called doublets, more than a machine makes. Its types of cells may pass into each other; consider --doublets mark.`,
        numbers: { sample, cells, called },
      });
    }
  }
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
  mixing: ProcessResult['mixing'],
): string[] {
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const chance = (of: { effectiveSamples: number }) => percent(1 / of.effectiveSamples);
  const further = clusterings.map(
    ({ resolution, clusterCount }) =>
      `${clusterCount} clusters were found at the resolution ${resolution} (column leiden_${resolution}).`,
  );
  if (integration === undefined) return further;
  const { mixingBefore, typeColumn, keptBefore, keptAfter } = integration;
  return [
    integrationText(integration, batchColumn ?? ''),
    ...(mixingBefore && mixing
      ? [
          `Two neighbours of a cell are of the same sample with a chance of ${chance(mixing)}, ${chance(mixingBefore)} before integration; ${percent(1 / mixing.expectedSamples)} if samples were mixed.`,
        ]
      : []),
    `Neighbours of a cell are of its own ${typeColumn ?? 'cluster within its sample'} in ${percent(keptAfter)}, ${percent(keptBefore)} before integration.`,
    ...further,
  ];
}

/** Doublets by sample. */
export function doubletLines({ doublets }: SamplesRecord): string[] {
  if (doublets === undefined) return [];
  const { action, called, groups } = doublets;
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  return [
    `${countText(called)} of ${countText(cells)} cells were called doublets (Scrublet within each sample) and ${action}.`,
    ...groups.map(
      ({ sample = 'Without a sample', cells: all, called: found, threshold, detectable, neighbourRecall }) =>
        `${sample}: ${countText(found)} of ${countText(all)}${threshold === undefined ? '' : `, scores above ${threshold.toFixed(3)}, which ${Math.round(100 * (detectable ?? 0))} % of simulated doublets exceed`}.${neighbourRecall === undefined ? '' : ` Neighbours were searched approximately: ${(100 * neighbourRecall.share).toFixed(1)} % of those of ${neighbourRecall.cells} cells are the nearest.`}`,
    ),
  ];
}
