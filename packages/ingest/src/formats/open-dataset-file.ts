import { withSummedProbes } from '../features/summed-probes.ts';
import { Hdf5File } from '../hdf5/hdf5-file.ts';
import { anndata } from './anndata/anndata.ts';
import type { DatasetFile, FileFormat } from '../dataset-file.ts';
import { h5seurat } from './h5seurat/h5seurat.ts';
import { loom } from './loom/loom.ts';
import { mudata } from './mudata/mudata.ts';
import { tenx } from './tenx/tenx.ts';

/** Tried in this order before AnnData, which reports the format of any other file and how to convert it. */
const formats: readonly FileFormat[] = [loom, tenx, h5seurat, mudata];

/** Opens a file, detecting its format by content. The caller closes `hdf5`. Throws H5adError. */
export async function openDatasetFile(path: string): Promise<DatasetFile> {
  const file = await Hdf5File.open(path);
  try {
    return presented(file);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Throws H5adError `not-anndata` if the file has no supported format. */
export function presented(file: Hdf5File): DatasetFile {
  const format = formats.find(({ recognises }) => recognises(file)) ?? anndata;
  return withSummedProbes(format.present(file));
}
