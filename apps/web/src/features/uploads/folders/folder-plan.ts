import {
  extensionOf,
  isSystemFile,
  matrixPart,
  maxSamples,
  sideFiles,
  uploadExtensions,
} from '@cellfolio/contract';
import { plural } from '@/lib/format.ts';

export interface FolderPlan {
  taken: { path: string; name: string }[];
  /** Files that are uploaded as one .zip: a matrix with tables of its run about its cells. */
  packed: { path: string; name: string; paths: string[] }[];
  refused: { name: string; problem: string }[];
  notes: string[];
}

/** Maximum directory depth below the chosen one; Cell Ranger's own nest six. */
export const maxFolderDepth = 8;
/** Maximum number of entries examined per choice, so that choosing a whole disk ends soon. */
export const maxFolderEntries = 10_000;
const maxTaken = 3 * maxSamples;

/** Folder names that occur in every run of Cell Ranger or STARsolo, or in archives, and so do not identify samples. */
const generic =
  /^(outs|count|multi|per_sample_outs|(sample_)?(filtered|raw)(_(feature|gene|peak)_bc_matri(x|ces))?|solo\.out|gene|genefull|velocyto|(grch3[78]|grcm3[89]|hg19|hg38|mm10|mm39)([-_].*)?)$/i;

/**
 * Selects and names the files of folders to upload. A folder gives its trios of matrix, barcodes and features; without
 * any, it gives every file that can be uploaded. A file with a name common to all runs is prefixed by its folder, as in
 * GEO: `donor_A/outs/filtered_feature_bc_matrix/matrix.mtx.gz` → `donor_A_matrix.mtx.gz`. `paths`: of all files below
 * the chosen folders, joined by `/`, each starting with the chosen folder. `packed`: whether they are in an archive,
 * which takes the place of its folder.
 */
export function folderPlan(paths: readonly string[], folders: readonly string[], packed = false): FolderPlan {
  const choose = packed ? 'unpack the archive and choose' : 'choose';
  const plan: FolderPlan = { taken: [], packed: [], refused: [], notes: [] };
  // Nor is what is hidden anybody's data.
  const visiblePaths = paths
    .filter((path) => !isSystemFile(path) && !path.split('/').some((part) => part.startsWith('.')))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const raw: string[] = [];
  const others: string[] = [];
  const chosen = folders.flatMap((folder) => {
    const inside = visiblePaths.filter((path) => path.startsWith(`${folder}/`));
    const own = inside.filter(isUploadable);
    const trios = withoutRaw(triosOf(own), raw);
    const matrices =
      trios.length > 0 ? trios : own.filter((path) => filteredHdf5.test(path)).map((path) => [path]);
    const whole = new Set<string>();
    for (const matrix of matrices) {
      const tables = tablesOfRun(matrix[0]!, inside);
      if (tables.length === 0) continue;
      const paths = matrix.concat(tables);
      plan.packed.push({ path: matrix[0]!, name: '', paths });
      for (const path of paths) whole.add(path);
    }
    const loose = trios.length > 0 ? trios.flat() : whole.size > 0 ? [] : own;
    const files = loose.filter((path) => !whole.has(path));
    if (files.length + whole.size === 0) {
      plan.refused.push({
        name: folder,
        problem: /\.zarr$/i.test(folder)
          ? 'Pack this folder as a .zip file, then choose that.'
          : 'This folder has no matrix.mtx with its barcodes and features, and no other file that can be uploaded.',
      });
    }
    if (inside.some((path) => /\.(barcodes|genes)\.txt$/i.test(path)))
      plan.notes.push(
        `The barcode and gene lists of ${folder} end in .txt, as kallisto writes them: rename them to .tsv, then choose them.`,
      );
    const usedFiles = new Set([...files, ...whole]);
    others.push(...own.filter((path) => !usedFiles.has(path) && !isRaw(path)));
    return files;
  });
  if (raw.length > 0) {
    plan.notes.push(
      `Skipped: ${plural(raw.length, 'raw folder')} next to a filtered one, such as ${raw[0]!}. To upload one, ${choose} its folder alone.`,
    );
  }
  if (others.length > 0) {
    plan.notes.push(
      `Skipped: ${plural(others.length, 'other file')} in folders with matrices, such as ${nameOf(others[0]!)}.`,
    );
  }
  if (chosen.length > maxTaken) {
    plan.notes.push(
      `Only the first ${maxTaken} of ${chosen.length} files are added. For the others, ${choose} them after these.`,
    );
  }
  plan.taken = named(chosen.slice(0, maxTaken));
  plan.packed = namedPacks(plan.packed);
  if (plan.packed.length > 0)
    plan.notes.push(
      `${plural(plan.packed.length, 'matrix', 'matrices')} of Cell Ranger or Space Ranger with positions of spots, clusters and maps of the run: uploaded together, as .zip files.`,
    );
  const untold = plan.taken.find(({ path, name }) => name !== nameOf(path) && sampleOf(path) === undefined);
  if (untold !== undefined) {
    plan.notes.push(
      `The name of ${directoryOf(untold.path)} does not name its sample. ${packed ? 'Name the archive after it' : 'Choose the folder above it'}, or rename the files.`,
    );
  }
  return plan;
}

function isUploadable(path: string): boolean {
  return uploadExtensions.includes(extensionOf(nameOf(path)));
}

/** Trios of matrix, barcodes and features with the same directory and prefix. */
function triosOf(paths: readonly string[]): string[][] {
  const byPrefix = Map.groupBy(
    paths.filter((path) => matrixPart(nameOf(path)) !== undefined),
    (path) => `${directoryOf(path)}/${matrixPart(nameOf(path))!.prefix.toLowerCase()}`,
  );
  return [...byPrefix.values()].filter(
    (files) => files.length === 3 && new Set(files.map((path) => matrixPart(nameOf(path))?.part)).size === 3,
  );
}

/** For a run with a raw and a filtered matrix, keeps the filtered one, which has the called cells. */
function withoutRaw(trios: readonly string[][], left: string[]): string[][] {
  const directories = new Set(trios.map(([first]) => directoryOf(first!)));
  return trios.filter(([first]) => {
    const directory = directoryOf(first!);
    const filtered = directory.replace(rawPart, '$1filtered');
    if (filtered === directory || !directories.has(filtered)) return true;
    left.push(directory);
    return false;
  });
}

const filteredHdf5 = /(^|\/)(sample_)?filtered_(feature|gene)_bc_matri(x|ces)\.h5$/i;

/** Tables about cells beside the folder of a matrix. */
function tablesOfRun(matrix: string, paths: readonly string[]): string[] {
  const { positions, clusterings, projections } = sideFiles(matrix, paths);
  return [
    ...(positions === undefined ? [] : [positions]),
    ...[...clusterings, ...projections].map(({ path }) => path),
  ];
}

function namedPacks(packs: FolderPlan['packed']): FolderPlan['packed'] {
  const short = packs.map(({ path }) => `${sampleOf(path) ?? 'outs'}.zip`);
  const count = countsOf(short);
  return packs.map((pack, at) => ({
    ...pack,
    name: count.get(short[at]!) === 1 ? short[at]! : `${directoryOf(pack.path).replaceAll('/', '_')}.zip`,
  }));
}

const rawPart = /((?:^|\/)(?:sample_)?)raw(?=_(?:feature|gene|peak)_bc_|$|\/)/i;
const isRaw = (path: string) => rawPart.test(directoryOf(path));

function named(paths: readonly string[]): FolderPlan['taken'] {
  const count = countsOf(paths.map(nameOf));
  const short = paths.map((path) => {
    const name = nameOf(path);
    const isDistinct = matrixPart(name)?.prefix !== '' && count.get(name) === 1;
    return isDistinct ? name : `${sampleOf(path) ?? directoryOf(path).split('/').at(-1)!}_${name}`;
  });
  // Two folders of one name: their whole paths tell them apart.
  const again = countsOf(short);
  return paths.map((path, at) => ({
    path,
    name: again.get(short[at]!) === 1 ? short[at]! : path.replaceAll('/', '_'),
  }));
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function sampleOf(path: string): string | undefined {
  return directoryOf(path)
    .split('/')
    .findLast((part) => !generic.test(part));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const directoryOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
