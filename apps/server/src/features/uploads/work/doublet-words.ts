import {
  countText,
  deviationScale,
  listedNames,
  type Caution,
  type DoubletGroup,
  type SamplesRecord,
  pluralWord,
} from '@cellfolio/model';
import type { ProcessResult } from '@cellfolio/process';

type Doublets = NonNullable<SamplesRecord['doublets']>;

/** When a smaller share of simulated doublets exceeds a threshold, most doublets are not called. */
const fewDetectable = 0.5;
/** A larger share of doublets in a sample exceeds that of any machine loading. */
const manyDoublets = 0.25;
const maxNamed = 5;
const setOne =
  'set a threshold of doublet scores by their histograms (Process Again, or --doublet-threshold)';

export function doubletLines(doublets: Doublets | undefined): string[] {
  if (doublets === undefined) return [];
  const { action, called, threshold: chosen, groups } = doublets;
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  const thresholdWords =
    chosen === undefined ? 'automatic threshold of each sample' : `threshold ${chosen}, which was set`;
  return [
    `${countText(called)} of ${countText(cells)} cells were called doublets (Scrublet within each sample, ${thresholdWords}) and ${action}.`,
    ...groups.map(
      ({ cells: all, called: doubletCount, threshold, detectable = 0, neighbourRecall, ...group }) =>
        `${group.sample ?? 'Without a sample'}: ${countText(doubletCount)} of ${countText(all)}${threshold === undefined ? '' : `, scores above ${scoreText(threshold)}, as ${percent(detectable)} of simulated doublets have`}.${neighbourRecall === undefined ? '' : ` Neighbors were searched approximately: ${percent(neighbourRecall.share)} of those of ${neighbourRecall.cells} cells are the nearest.`}`,
    ),
  ];
}

export function doubletCautions(doublets: Doublets | undefined): Caution[] {
  if (doublets === undefined) return [];
  const { threshold: chosen, groups } = doublets;
  const scored = groups.filter(({ skipped }) => skipped === undefined);
  const lined = scored.filter(({ threshold }) => threshold !== undefined);
  const blind = lined.filter(({ detectable = 0 }) => detectable < fewDetectable);
  const whichLine =
    chosen === undefined
      ? `the threshold that was found. Cells of few counts or few types have such scores. To call more, ${setOne}.`
      : `the threshold of ${chosen} that was set. A smaller one calls more, doublets and single cells alike.`;
  return [
    ...cautionOf(
      'doublets-not-sought',
      groups.filter(({ skipped }) => skipped === 'few-cells'),
      (named) => `Doublets were not detected in ${named}: 50 cells are needed.`,
      ({ cells }) => ` (${countText(cells)} cells)`,
    ),
    ...cautionOf(
      'doublets-not-sought',
      groups.filter(({ skipped }) => skipped === 'few-variable-genes'),
      (named) => `Doublets were not detected in ${named}: too few genes vary.`,
    ),
    ...cautionOf(
      'doublets-no-threshold',
      scored.filter(({ threshold }) => threshold === undefined),
      (named) =>
        `No doublet was called in ${named}: the scores of simulated doublets do not have two modes to separate. To call some, ${setOne}.`,
    ),
    ...cautionOf(
      'doublets-not-detectable',
      blind,
      (named) =>
        `Most doublets were not called in ${named}: only that share of simulated doublets scores above ${whichLine}`,
      ({ detectable = 0 }) => ` (${percent(detectable)})`,
    ),
    ...cautionOf(
      'many-doublets',
      lined.filter(({ called, cells }) => called > manyDoublets * cells),
      (named) =>
        `More cells were called doublets than a machine produces: ${named}. Cell types may form a continuum; ${chosen === undefined ? setOne : 'set a higher threshold'}, or mark doublets without removing them (--doublets mark).`,
      ({ called, cells }) => ` (${countText(called)} of ${countText(cells)})`,
    ),
  ];
}

/** Scrublet takes 5 % of the cells for doublets: a cluster is reported from twice that, if its scores are outliers. */
const doubtfulScore = 0.1;
const outlierDeviations = 3;
/** Maximum share of cells that are doublets of the same two types. */
const maxDoubletShare = 0.15;

/**
 * Clusters that may be doublets: more than half of their remaining cells were called, or their median score is an
 * outlier among all scores. Doublets of the same two types are neighbours of each other as much as of simulated ones,
 * so their scores stay below a threshold that is right for others.
 */
export function doubletClusters({
  doublets,
  clusters,
  clusterCount,
  keptCells,
}: Pick<ProcessResult, 'doublets' | 'clusters' | 'clusterCount' | 'keptCells'>): Caution[] {
  if (doublets === undefined || clusters === undefined) return [];
  const scoresOf = Array.from({ length: clusterCount }, (): number[] => []);
  const called = new Int32Array(clusterCount);
  for (const [at, cluster] of clusters.entries()) {
    if (cluster < 0) continue;
    scoresOf[cluster]!.push(doublets.scores[keptCells[at]!]!);
    called[cluster]! += doublets.called[keptCells[at]!]!;
  }
  const all = scoresOf.flat().filter((score) => !Number.isNaN(score));
  const usual = median(all);
  const limit =
    usual + outlierDeviations * deviationScale * median(all.map((score) => Math.abs(score - usual)));
  const suspects = scoresOf
    .map((scores, cluster) => ({
      cluster,
      cells: scores.length,
      doublets: called[cluster]!,
      score: median(scores.filter((score) => !Number.isNaN(score))),
    }))
    .filter(
      ({ cells, doublets: doubletCount, score }) =>
        doubletCount > cells / 2 ||
        (score >= doubtfulScore && score > limit && cells <= maxDoubletShare * clusters.length),
    );
  if (suspects.length === 0) return [];
  const named = suspects.map(
    ({ cluster, cells, doublets: doubletCount, score }) =>
      `${cluster} (${countText(doubletCount)} of ${countText(cells)} cells called, median score ${scoreText(score)})`,
  );
  return [
    {
      code: 'clusters-of-doublets',
      message: `Probably doublets: ${pluralWord(suspects.length, 'cluster')} ${listedNames(named, maxNamed)}; the median score of all cells is ${scoreText(usual)}. Two types in one droplet look like an intermediate type: check the markers of both before you name it, and remove doublets, with a lower threshold if few were called (Process Again, or --doublets remove).`,
      numbers: {
        clusters: suspects.map(({ cluster }) => String(cluster)),
        cells: suspects.map(({ cells }) => cells),
        doublets: suspects.map(({ doublets: doubletCount }) => doubletCount),
        scores: suspects.map(({ score }) => score),
        usual,
      },
    },
  ];
}

/** NaN for an empty list. */
function median(values: readonly number[]): number {
  const rising = values.toSorted((a, b) => a - b);
  return rising[rising.length >> 1] ?? NaN;
}

function cautionOf(
  code: string,
  groups: readonly DoubletGroup[],
  message: (named: string) => string,
  figure: (group: DoubletGroup) => string = () => '',
): Caution[] {
  if (groups.length === 0) return [];
  const named = groups.map((group) => `${group.sample ?? 'cells without a sample'}${figure(group)}`);
  return [
    {
      code,
      message: message(listedNames(named, maxNamed)),
      numbers: {
        samples: groups.map(({ sample = '' }) => sample),
        cells: groups.map(({ cells }) => cells),
        called: groups.map(({ called }) => called),
        thresholds: groups.flatMap(({ threshold }) => threshold ?? []),
        detectable: groups.flatMap(({ detectable }) => detectable ?? []),
      },
    },
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Up to three decimals, without trailing zeros. */
function scoreText(score: number): string {
  return String(Number(score.toFixed(3)));
}
