// The command `npm run bench`: ours and the peers measured side by side, and trials of analyses on simulated data.
import { benchCases } from '../bench/src/cases/index.ts';
import { runBench } from '../bench/src/run-bench.ts';
import { trials } from './trials/index.ts';

await runBench([...benchCases, ...trials]);
