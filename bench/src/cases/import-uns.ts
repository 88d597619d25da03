import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchCase } from '../bench-context.ts';
import { alternate, mebibyte, runForJson } from '../measure/child.ts';
import { median, runResults } from '../measure/result.ts';
import { paths } from '../paths.ts';

interface ImportRun {
  seconds: number;
  processor: number;
  peak: number;
}

/** Imports a file with 200 MB in `uns` and `obsp`, which are stored for exports, and the same cells without them. */
export const importUnsCase: BenchCase = {
  name: 'import-uns',
  title: '.h5ad with 200 MB in uns and obsp, against the same cells without them',
  async run({ options, scratch, python }) {
    if (python === undefined) return { results: [], notes: ['not measured: anndata writes its files'] };
    const files = ['with', 'without'].map((name) => join(scratch, `uns-${name}.h5ad`));
    execFileSync(python, [join(import.meta.dirname, '../../python/uns_file.py'), ...files]);
    const out = join(scratch, 'import-run');
    const [whole, bare]: [ImportRun[], ImportRun[]] = [[], []];
    const measure = (path: string, runs: ImportRun[]) => async () => {
      await rm(out, { recursive: true, force: true });
      runs.push((await runForJson(process.execPath, [paths.importOnce, path, out, 'run.h5ad'])) as ImportRun);
    };
    await alternate(options.repeat ?? 3, [measure(files[0]!, whole), measure(files[1]!, bare)]);
    for (const path of [out, ...files]) await rm(path, { recursive: true, force: true });
    const result = runResults(whole, []);
    const without = (of: (run: ImportRun) => number) => median(bare.map(of)).toFixed(1);
    return {
      results: [
        result('time', 's', (run) => run.seconds),
        result('processor time, all threads', 's', (run) => run.processor),
        result('peak resident memory', 'MiB', (run) => run.peak / mebibyte, {
          kind: 'each-at-most',
          limit: 1024,
        }),
      ],
      notes: [
        `without them ${without((run) => run.seconds)} s, ${without((run) => run.processor)} s of the processor, ${without((run) => run.peak / mebibyte)} MiB`,
      ],
    };
  },
};
