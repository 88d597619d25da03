import { runningScore, scoreCorners, stepWeights } from '@cellfolio/analysis';
import { congruential } from '../mixture.test-data.ts';
import type { RankedSet } from '@cellfolio/analyses';
import type { RankedEnrichmentInput } from './ranked-sets.ts';

export function rankedEnrichment(genes: number, isNegative = false): RankedEnrichmentInput {
  const random = congruential(11);
  const metric = Float64Array.from(
    { length: genes },
    () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()) * 3 + 0.4,
  )
    .sort()
    .toReversed();
  const hits = Int32Array.from(
    new Set(
      Array.from({ length: 90 }, () => {
        const place = Math.floor(genes * random() ** 2.2);
        return isNegative ? genes - 1 - place : place;
      }),
    ),
  ).sort();
  const weights = stepWeights(metric, 1);
  const { score, leadingEdge } = runningScore(weights, hits);
  const sets = Array.from({ length: 40 }, (_, i): RankedSet => {
    const nes = (i % 3 === 0 ? -1 : 1) * (0.7 + 1.7 * random());
    const fdr = Math.abs(nes) > 1.5 ? 0.03 * random() : 0.2 + 0.8 * random();
    return {
      term: `${['Interferon Alpha Response', 'E2F Targets', 'Regulation Of Transcription By RNA Polymerase II In Response To Stress (GO:0043618)', 'HALLMARK_OXIDATIVE_PHOSPHORYLATION'][i % 4]!} ${i}`,
      es: nes / 3,
      nes,
      p: fdr / 10,
      fdr,
      fwer: fdr,
      size: 40 + i,
      leading: 10 + i,
    };
  });
  return {
    ranking: 'Treated against control by the score of the Wilcoxon test',
    library: 'MSigDB_Hallmark_2020',
    sides: { top: 'higher in treated', end: 'higher in control' },
    metric,
    metricName: 'score',
    tested: 50,
    leastP: 0.001,
    threshold: 0.05,
    significant: {
      top: sets.filter(({ nes, fdr }) => nes > 0 && fdr <= 0.05).length,
      end: sets.filter(({ nes, fdr }) => nes < 0 && fdr <= 0.05).length,
    },
    sets,
    curve: {
      ...sets[0]!,
      term: 'Interferon Gamma Response',
      es: score,
      nes: score * 3.4,
      fdr: 0,
      fwer: 0.002,
      size: hits.length,
      leading: leadingEdge.length,
      ...scoreCorners(weights, hits),
      hits,
      leadingGenes: Array.from(leadingEdge, (place) => `GENE${place}`),
    },
    cautions: [],
  };
}
