import { basename } from 'node:path';
import { outputRoot, sideFiles } from '@cellfolio/model';
import type { LinkedDataset, LinkedDatasets, RemoteFile } from '../../../runtime/archives/linked-datasets.ts';
import type { TarMembers } from '../../../runtime/archives/tar-members.ts';

const sidePath = /((?:spatial|analysis\/[^/]+\/[^/]+))\/[^/]+$/;

/**
 * Gives the filtered matrices in an archive of Cell Ranger or Space Ranger their positions, clusters and coordinates, and
 * leaves out what else is in such an output folder: matrices of all barcodes and tables of the analysis.
 */
export function withSideFiles(
  { title, datasets, unreadable }: LinkedDatasets,
  members: TarMembers['members'],
): LinkedDatasets {
  const nameAt = new Map(members.map(({ name, offset }) => [offset, name]));
  const pathOf = ({ part }: RemoteFile) => nameAt.get(part?.offset ?? -1) ?? '';
  const matrixOf = ({ files }: LinkedDataset) =>
    files.map(pathOf).find((path) => /\.mtx(\.gz)?$/i.test(path)) ?? '';
  const roots = new Set(
    datasets
      .map(matrixOf)
      .filter((matrix) => /(^|\/)(sample_)?filtered_(feature|gene)_bc_matri/i.test(matrix))
      .map(outputRoot),
  );
  if (roots.size === 0) return { title, datasets, unreadable };
  const isFiltered = (matrix: string) => /(^|\/)(sample_)?filtered_/i.test(matrix);
  const isKept = (dataset: LinkedDataset) => {
    const matrix = matrixOf(dataset);
    if (matrix !== '') return isFiltered(matrix) || !roots.has(outputRoot(matrix));
    return ![...roots].some((root) => pathOf(dataset.files[0]!).startsWith(root));
  };
  const paths = members.map(({ name }) => name);
  const byPath = new Map(members.map((member) => [member.name, member]));
  const beside = (dataset: LinkedDataset): RemoteFile[] => {
    const { positions, clusterings, projections } = sideFiles(matrixOf(dataset), paths);
    const [{ address, part } = { address: '', part: undefined }] = dataset.files;
    return [positions, ...[...clusterings, ...projections].map(({ path }) => path)].flatMap((path) => {
      const member = byPath.get(path ?? '');
      if (member === undefined) return [];
      const { name, offset, bytes } = member;
      const folder = sidePath.exec(name)?.[1];
      return [{ address, name: basename(name), bytes, folder, part: { ...part, offset, length: bytes } }];
    });
  };
  const chosen = datasets.filter(isKept).map((dataset): LinkedDataset => {
    if (!isFiltered(matrixOf(dataset))) return dataset;
    return Object.assign(dataset, { files: [...dataset.files, ...beside(dataset)] });
  });
  return { title, datasets: chosen, unreadable };
}
