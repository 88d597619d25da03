// The command `npm run bench`: ours and the peers measured side by side, and trials of analyses on simulated data.
import { benchCases } from '../bench/src/cases.ts';
import { runBench } from '../bench/src/run-bench.ts';
import { assistantCase } from './trials/assistant/case.ts';
import { compositionReadCase } from './trials/composition-read.ts';
import { depthCase } from './trials/depth.ts';
import { designTrapsCase } from './trials/design-traps.ts';
import { discoveryRatesCase, falseDiscoveriesCase } from './trials/false-discoveries.ts';
import { knownTruthCase } from './trials/known-truth.ts';
import { leadingGenesCase } from './trials/leading-genes.ts';
import { nestedSamplesCase } from './trials/nested-samples.ts';
import { nullRatesCase } from './trials/null-rates.ts';
import { sparseGenesCase } from './trials/sparse-genes.ts';
import { tiesCase } from './trials/ties.ts';

/** Analyses of simulated data: whether they find what is there, and nothing where nothing is. */
const trials = [
  falseDiscoveriesCase,
  discoveryRatesCase,
  nestedSamplesCase,
  compositionReadCase,
  nullRatesCase,
  tiesCase,
  sparseGenesCase,
  depthCase,
  designTrapsCase,
  leadingGenesCase,
  knownTruthCase,
  assistantCase,
];

await runBench([...benchCases, ...trials]);
