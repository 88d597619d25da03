import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchContext, ImportedDataset } from './bench-context.ts';
import { generatedFile, sizeName } from './data/generated-file.ts';
import { runForJson } from './measure/child.ts';
import { paths } from './paths.ts';

/** The context of one run, with files and stores that are made when a case first asks for them. */
export function openContext(
  given: Pick<BenchContext, 'options' | 'scratch' | 'python' | 'report'>,
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
