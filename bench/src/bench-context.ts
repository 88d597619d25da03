import {
  type DataSize,
  geneMajorFile,
  type GeneratedFile,
  generatedFile,
  sizeName,
} from './data/generated-file.ts';
import type { Result } from './measure/result.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runForJson } from './measure/child.ts';
import { paths } from './paths.ts';

/** Input of a case. Files and stores are created once and shared by all cases of a run. */
export interface BenchContext {
  options: BenchOptions;
  /** Folder for generated data, removed at the end except with --keep. */
  scratch: string;
  /** A Python with the peer's packages; undefined without the peer. */
  python: string | undefined;
  peer: boolean;
  report: (line: string) => void;
  file(size: DataSize): Promise<GeneratedFile>;
  geneMajor(size: DataSize): Promise<GeneratedFile>;
  imported(size: DataSize): Promise<ImportedDataset>;
}

export interface ImportedDataset extends GeneratedFile {
  dataDir: string;
  root: string;
  id: string;
}

export interface BenchOptions {
  /** Overrides the default size of each case. */
  cells?: number | undefined;
  genes?: number | undefined;
  /** Guides of `screen`. */
  groups?: number | undefined;
  density: number;
  gzip?: number | undefined;
  repeat?: number | undefined;
  sets?: number | undefined;
  permutations?: number | undefined;
}

export interface BenchCase {
  name: string;
  title: string;
  run(context: BenchContext): Promise<Outcome> | Outcome;
}

interface Outcome {
  results: readonly Result[];
  notes: readonly string[];
}

export function sizeOf(options: BenchOptions, defaults: { cells: number; genes: number }): DataSize {
  return {
    cells: options.cells ?? defaults.cells,
    genes: options.genes ?? defaults.genes,
    density: options.density,
    gzip: options.gzip,
  };
}

export function openContext(
  base: Pick<BenchContext, 'options' | 'scratch' | 'python' | 'peer' | 'report'>,
): BenchContext {
  const { scratch, report } = base;
  const file: BenchContext['file'] = (size) => generatedFile(join(scratch, 'files'), size, report);
  return {
    ...base,
    file,
    async geneMajor(size) {
      const dataset = await this.imported(size);
      return geneMajorFile(dataset, dataset, report);
    },
    async imported(size): Promise<ImportedDataset> {
      const generated = await file(size);
      const name = sizeName(size);
      const dataDir = join(scratch, `data-${name}`);
      const root = join(dataDir, 'objects');
      const id = `bench-${name}.h5ad`;
      if (!existsSync(join(root, 'datasets', id))) {
        report(`importing ${generated.path}`);
        // In a process of its own, so that its memory is not part of the measurements.
        await runForJson(process.execPath, [paths.importOnce, generated.path, root, id]);
      }
      return { ...generated, dataDir, root, id };
    },
  };
}
