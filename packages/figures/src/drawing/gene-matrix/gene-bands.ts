/** Adjacent genes of one bracket, as gene indices. */
export interface GeneRun {
  bracket: string | null;
  first: number;
  count: number;
}

/** Space between two brackets in one band, in CSS pixels. */
export const runGap = 10;

/**
 * Splits columns into bands, like the lines of a text. A bracket is broken only if it is wider than a band; among all
 * ways with the fewest bands, takes the one with the narrowest.
 */
export function geneBands(
  genes: readonly { bracket: string | null }[],
  pitch: number,
  width: number,
): GeneRun[][] {
  const runs = runsOf(genes);
  const wide = packed(runs, pitch, width);
  let best = wide;
  for (let narrower = width - pitch; narrower >= pitch; narrower -= pitch) {
    const bands = packed(runs, pitch, narrower);
    const breaks = bands.flat().length;
    if (bands.length > wide.length || breaks > wide.flat().length) break;
    best = bands;
  }
  return best;
}

export function bandWidth(runs: readonly GeneRun[], pitch: number): number {
  const genes = runs.reduce((sum, run) => sum + run.count, 0);
  return genes * pitch + Math.max(0, runs.length - 1) * runGap;
}

export function runsOf(genes: readonly { bracket: string | null }[]): GeneRun[] {
  const runs: GeneRun[] = [];
  genes.forEach(({ bracket }, i) => {
    const last = runs.at(-1);
    if (last !== undefined && last.bracket === bracket)
      runs[runs.length - 1] = { ...last, count: last.count + 1 };
    else runs.push({ bracket, first: i, count: 1 });
  });
  return runs;
}

function packed(runs: readonly GeneRun[], pitch: number, width: number): GeneRun[][] {
  const bands: GeneRun[][] = [];
  let band: GeneRun[] = [];
  const capacity = Math.max(1, Math.floor(width / pitch));
  for (const run of runs) {
    // Only brackets are kept together; genes without one may be parted anywhere.
    if (run.bracket !== null && run.count <= capacity && bandWidth([...band, run], pitch) > width) {
      bands.push(band);
      band = [];
    }
    let { first, count } = run;
    while (count > 0) {
      const used = band.length === 0 ? 0 : bandWidth(band, pitch) + runGap;
      const room = Math.floor((width - used) / pitch);
      if (room < 1 && band.length > 0) {
        bands.push(band);
        band = [];
        continue;
      }
      // However narrow, a band holds a gene.
      const chunk = Math.max(1, Math.min(room, count));
      band.push({ bracket: run.bracket, first, count: chunk });
      first += chunk;
      count -= chunk;
    }
  }
  if (band.length > 0) bands.push(band);
  return bands;
}
