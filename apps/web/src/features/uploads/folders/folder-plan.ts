import { extensionOf, isSystemFile, matrixPart, maxSamples, uploadExtensions } from '@cellfolio/contract';
import { counted } from '@/lib/format.ts';

/** What a choice of folders or of an archive gives, before any file is opened. */
export interface FolderPlan {
  /** Files to upload: where they are, and the name under which they go up. */
  taken: { path: string; name: string }[];
  /** Folders without anything that could be uploaded. */
  refused: { name: string; problem: string }[];
  /** What was left out or should be known, in sentences. */
  notes: string[];
}

/** Directories below the chosen one; Cell Ranger's own nest six. */
export const maxFolderDepth = 8;
/** Entries that are looked at in one choice, so that a whole disk ends soon. */
export const maxFolderEntries = 10_000;
/** The trios of as many samples as one dataset takes. */
const maxTaken = 3 * maxSamples;

/** Folders that every run has, so that their names tell no samples apart: of Cell Ranger, STARsolo and archives. */
const generic =
  /^(outs|count|multi|per_sample_outs|(sample_)?(filtered|raw)(_(feature|gene|peak)_bc_matri(x|ces))?|solo\.out|gene|genefull|velocyto|(grch3[78]|grcm3[89]|hg19|hg38|mm10|mm39)([-_].*)?)$/i;

/**
 * Which files of folders go up, and how they are called. A folder gives its trios of matrix, barcodes and features; one
 * that has none gives every file that can be uploaded. A file called as in every run gets the name of its folder before
 * its own, as GEO has them: `donor_A/outs/filtered_feature_bc_matrix/matrix.mtx.gz` → `donor_A_matrix.mtx.gz`.
 * @param paths of all files below the chosen folders, parts joined by `/`, that of a chosen folder first
 * @param packed whether they are in an archive, which stands for its folder
 */
export function folderPlan(paths: readonly string[], folders: readonly string[], packed = false): FolderPlan {
  const choose = packed ? 'unpack the archive and choose' : 'choose';
  const plan: FolderPlan = { taken: [], refused: [], notes: [] };
  // Nor is what is hidden anybody's data.
  const seen = paths
    .filter((path) => !isSystemFile(path) && !path.split('/').some((part) => part.startsWith('.')))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const raw: string[] = [];
  const others: string[] = [];
  const chosen = folders.flatMap((folder) => {
    const own = seen.filter((path) => path.startsWith(`${folder}/`) && isUploadable(path));
    const trios = withoutRaw(triosOf(own), raw);
    const files = trios.length > 0 ? trios.flat() : own;
    if (files.length === 0) {
      plan.refused.push({
        name: folder,
        problem: /\.zarr$/i.test(folder)
          ? 'Pack this folder as a .zip file, then choose that.'
          : 'This folder has no matrix.mtx with its barcodes and features, and no other file that can be uploaded.',
      });
    }
    if (seen.some((path) => path.startsWith(`${folder}/`) && /\.(barcodes|genes)\.txt$/i.test(path)))
      plan.notes.push(
        `The lists of barcodes and genes of ${folder} are called .txt, as of kallisto: call them .tsv, then choose them.`,
      );
    const kept = new Set(files);
    others.push(...own.filter((path) => !kept.has(path) && !isRaw(path)));
    return files;
  });
  if (raw.length > 0) {
    plan.notes.push(
      `Left out: ${counted(raw.length, 'raw folder')} with a filtered one beside it, such as ${raw[0]!}. To upload one, ${choose} its folder by itself.`,
    );
  }
  if (others.length > 0) {
    plan.notes.push(
      `Left out: ${counted(others.length, 'other file')} of folders with matrices, such as ${nameOf(others[0]!)}.`,
    );
  }
  if (chosen.length > maxTaken) {
    plan.notes.push(
      `The first ${maxTaken} of ${chosen.length} files are taken. For the others, ${choose} them after these.`,
    );
  }
  plan.taken = named(chosen.slice(0, maxTaken));
  const untold = plan.taken.find(({ path, name }) => name !== nameOf(path) && sampleOf(path) === undefined);
  if (untold !== undefined) {
    plan.notes.push(
      `The name of ${directoryOf(untold.path)} does not tell its sample. ${packed ? 'Name the archive by it' : 'Choose the folder above it'}, or rename the files.`,
    );
  }
  return plan;
}

function isUploadable(path: string): boolean {
  return uploadExtensions.includes(extensionOf(nameOf(path)));
}

/** Files of one directory and one prefix that are a matrix, a list of barcodes and one of features. */
function triosOf(paths: readonly string[]): string[][] {
  const byPrefix = Map.groupBy(
    paths.filter((path) => matrixPart(nameOf(path)) !== undefined),
    (path) => `${directoryOf(path)}/${matrixPart(nameOf(path))!.prefix.toLowerCase()}`,
  );
  return [...byPrefix.values()].filter(
    (files) => files.length === 3 && new Set(files.map((path) => matrixPart(nameOf(path))?.part)).size === 3,
  );
}

/** Of a run with its raw and its filtered matrix the filtered one: what was called cells. */
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

const rawPart = /((?:^|\/)(?:sample_)?)raw(?=_(?:feature|gene|peak)_bc_|$|\/)/i;
const isRaw = (path: string) => rawPart.test(directoryOf(path));

function named(paths: readonly string[]): FolderPlan['taken'] {
  const count = countsOf(paths.map(nameOf));
  const short = paths.map((path) => {
    const name = nameOf(path);
    const told = matrixPart(name)?.prefix !== '' && count.get(name) === 1;
    return told ? name : `${sampleOf(path) ?? directoryOf(path).split('/').at(-1)!}_${name}`;
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

/** The innermost folder whose name is not that of every run. */
function sampleOf(path: string): string | undefined {
  return directoryOf(path)
    .split('/')
    .findLast((part) => !generic.test(part));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const directoryOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
