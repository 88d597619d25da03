import type { BenchCase } from '../../bench/src/bench-context.ts';
import { compositionReadCase } from './composition-read.ts';
import { depthCase } from './depth.ts';
import { designTrapsCase } from './design-traps.ts';
import { discoveryRatesCase, falseDiscoveriesCase } from './false-discoveries.ts';
import { knownTruthCase } from './known-truth.ts';
import { leadingGenesCase } from './leading-genes.ts';
import { nestedSamplesCase } from './nested-samples.ts';
import { nullRatesCase } from './null-rates.ts';
import { tiesCase } from './ties.ts';

/** Analyses of simulated data: whether they find what is there, and nothing where nothing is. */
export const trials: readonly BenchCase[] = [
  falseDiscoveriesCase,
  discoveryRatesCase,
  nestedSamplesCase,
  compositionReadCase,
  nullRatesCase,
  tiesCase,
  depthCase,
  designTrapsCase,
  leadingGenesCase,
  knownTruthCase,
];
