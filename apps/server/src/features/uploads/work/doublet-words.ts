import {
  countText,
  listedNames,
  type Caution,
  type DoubletGroup,
  type SamplesRecord,
} from '@cellfolio/model';

type Doublets = NonNullable<SamplesRecord['doublets']>;

/** Where fewer simulated doublets exceed a threshold, most doublets are not called. */
const fewDetectable = 0.5;
/** More doublets than this in a sample are more than any loading of a machine makes. */
const manyDoublets = 0.25;
/** Samples that a message names. */
const maxNamed = 5;
const setOne =
  'set a threshold of doublet scores by their histograms (Process Again, or --doublet-threshold)';

/** Doublets by sample, in sentences: who chose the threshold, and what it can detect. */
export function doubletLines(doublets: Doublets | undefined): string[] {
  if (doublets === undefined) return [];
  const { action, called, threshold: chosen, groups } = doublets;
  const cells = groups.reduce((sum, group) => sum + group.cells, 0);
  const whose =
    chosen === undefined ? 'automatic threshold of each sample' : `threshold ${chosen}, which was set`;
  return [
    `${countText(called)} of ${countText(cells)} cells were called doublets (Scrublet within each sample, ${whose}) and ${action}.`,
    ...groups.map(
      ({ cells: all, called: found, threshold, detectable = 0, neighbourRecall, ...group }) =>
        `${group.sample ?? 'Without a sample'}: ${countText(found)} of ${countText(all)}${threshold === undefined ? '' : `, scores above ${scoreText(threshold)}, as ${percent(detectable)} of simulated doublets have`}.${neighbourRecall === undefined ? '' : ` Neighbours were searched approximately: ${percent(neighbourRecall.share)} of those of ${neighbourRecall.cells} cells are the nearest.`}`,
    ),
  ];
}

/** What a user should look at, each once for all samples, and what can be done. */
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
      (named) => `Doublets were not looked for in ${named}: 50 cells are needed.`,
      ({ cells }) => ` (${countText(cells)} cells)`,
    ),
    ...cautionOf(
      'doublets-not-sought',
      groups.filter(({ skipped }) => skipped === 'few-variable-genes'),
      (named) => `Doublets were not looked for in ${named}: too few genes vary.`,
    ),
    ...cautionOf(
      'doublets-no-threshold',
      scored.filter(({ threshold }) => threshold === undefined),
      (named) =>
        `No doublet was called in ${named}: the scores of simulated doublets have no two modes to draw a line between. To call some, ${setOne}.`,
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
        `More cells were called doublets than a machine makes: ${named}. Types of cells may pass into each other; ${chosen === undefined ? setOne : 'set a greater threshold'}, or mark doublets and remove none (--doublets mark).`,
      ({ called, cells }) => ` (${countText(called)} of ${countText(cells)})`,
    ),
  ];
}

/** One for all the samples that it is about; none where there are none. */
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

/** To three decimals, without those that are zero. */
function scoreText(score: number): string {
  return String(Number(score.toFixed(3)));
}
