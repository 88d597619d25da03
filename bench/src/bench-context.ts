import { type DataSize, type GeneratedFile, generatedFile, sizeName } from './data/generated-file.ts';
import type { Result } from './measure/result.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runForJson } from './measure/child.ts';
import { paths } from './paths.ts';

/** What a case is given. Files and stores are made once and shared by the cases of a run. */
export interface BenchContext {
  readonly options: BenchOptions;
  /** Folder for what a run makes; removed at its end unless told otherwise. */
  readonly scratch: string;
  /** A Python with the peer's packages; absent where the peer is left out. */
  readonly python: string | undefined;
  /** Whether peers of other kinds are measured too. */
  readonly peer: boolean;
  readonly report: (line: string) => void;
  file(size: DataSize): Promise<GeneratedFile>;
  /** Root of a store that holds the data of a size as dataset `id`. */
  imported(size: DataSize): Promise<ImportedDataset>;
}

export interface ImportedDataset extends GeneratedFile {
  /** Data folder of a server; its store is the folder `objects`. */
  readonly dataDir: string;
  readonly root: string;
  readonly id: string;
}

export interface BenchOptions {
  /** Overrides of the usual size of each case. */
  readonly cells: number | undefined;
  readonly genes: number | undefined;
  readonly density: number;
  readonly gzip: number | undefined;
  /** Repetitions of each measurement; each case has its own usual number. */
  readonly repeat: number | undefined;
}

export interface BenchCase {
  readonly name: string;
  readonly title: string;
  run(context: BenchContext): Promise<{ results: Result[]; notes: string[] }>;
}

/** Size of a case: its usual one, with what the command line says instead. */
export function sizeOf(options: BenchOptions, usual: { cells: number; genes: number }): DataSize {
  return {
    cells: options.cells ?? usual.cells,
    genes: options.genes ?? usual.genes,
    density: options.density,
    gzip: options.gzip,
  };
}

/** The context of one run, with files and stores that are made when a case first asks for them. */
export function openContext(
  given: Pick<BenchContext, 'options' | 'scratch' | 'python' | 'peer' | 'report'>,
): BenchContext {
  const { scratch, report } = given;
  const file: BenchContext['file'] = (size) => generatedFile(join(scratch, 'files'), size, report);
  return {
    ...given,
    file,
    async imported(size): Promise<ImportedDataset> {
      const generated = await file(size);
      const name = sizeName(size);
      const dataDir = join(scratch, `data-${name}`);
      const root = join(dataDir, 'objects');
      const id = `bench-${name}.h5ad`;
      if (!existsSync(join(root, 'datasets', id))) {
        report(`importing ${generated.path}`);
        // In a process of its own: what an import takes is no part of what is measured after it.
        await runForJson(process.execPath, [paths.importOnce, generated.path, root, id]);
      }
      return { ...generated, dataDir, root, id };
    },
  };
}
