export interface UploadKind {
  readonly kind: string;
  readonly extension: string;
  /** Whether gzip is accepted, with a name that ends in `.gz`. */
  readonly gzip: boolean;
  readonly content: 'text' | 'hdf5' | 'zip' | 'r';
  readonly mimeType: string;
  readonly title: string;
  readonly files: string;
  readonly hold: string;
  /** Whether a single file suffices for a dataset; the others are converted first. */
  readonly dataset: boolean;
}

/** Kinds of uploads, detected by file extension. */
export const uploadKinds = [
  {
    kind: 'matrix',
    extension: '.mtx',
    gzip: true,
    content: 'text',
    mimeType: 'text/plain',
    title: 'a Matrix Market file',
    files: 'Matrix Files',
    hold: 'Sparse count matrices',
    dataset: false,
  },
  {
    kind: 'metadata',
    extension: '.tsv',
    gzip: true,
    content: 'text',
    mimeType: 'text/tab-separated-values',
    title: 'a list of barcodes or features',
    files: 'Metadata Files',
    hold: 'Barcodes and features',
    dataset: false,
  },
  {
    kind: 'h5ad',
    extension: '.h5ad',
    gzip: true,
    content: 'hdf5',
    mimeType: 'application/x-hdf5',
    title: 'an AnnData file',
    files: 'AnnData Files',
    hold: 'Cells, genes and annotations in one',
    dataset: true,
  },
  {
    kind: 'loom',
    extension: '.loom',
    gzip: true,
    content: 'hdf5',
    mimeType: 'application/x-hdf5',
    title: 'a Loom file',
    files: 'Loom Files',
    hold: 'Genes, cells and their attributes in one',
    dataset: true,
  },
  {
    kind: '10x',
    extension: '.h5',
    gzip: true,
    content: 'hdf5',
    mimeType: 'application/x-hdf5',
    title: 'a 10x Genomics HDF5 file',
    files: '10x HDF5 Files',
    hold: 'Matrices of Cell Ranger',
    dataset: true,
  },
  {
    kind: 'table',
    extension: '.csv',
    gzip: true,
    content: 'text',
    mimeType: 'text/csv',
    title: 'a table of values',
    files: 'Tables',
    hold: 'Genes × cells, or cells × genes',
    dataset: true,
  },
  {
    kind: 'zip',
    extension: '.zip',
    gzip: false,
    content: 'zip',
    mimeType: 'application/zip',
    title: 'a folder packed as zip',
    files: 'Packed Folders',
    hold: 'AnnData-Zarr, or the output of Cell Ranger, Space Ranger, alevin-fry or BD Rhapsody, packed as zip',
    dataset: true,
  },
  {
    kind: 'r',
    extension: '.rds',
    // R packs what it saves; archives pack it once more.
    gzip: true,
    content: 'r',
    mimeType: 'application/x-r-data',
    title: 'an R object',
    files: 'R Objects',
    hold: 'Seurat, SingleCellExperiment or a matrix',
    dataset: true,
  },
  {
    kind: 'h5seurat',
    extension: '.h5seurat',
    gzip: true,
    content: 'hdf5',
    mimeType: 'application/x-hdf5',
    title: 'an h5Seurat file',
    files: 'h5Seurat Files',
    hold: 'Seurat objects written by SeuratDisk',
    dataset: true,
  },
  {
    kind: 'mudata',
    extension: '.h5mu',
    gzip: true,
    content: 'hdf5',
    mimeType: 'application/x-hdf5',
    title: 'a MuData file',
    files: 'MuData Files',
    hold: 'RNA and proteins of the same cells',
    dataset: true,
  },
] as const satisfies readonly UploadKind[];

/** Other formats of the field by extension, and how to convert each to one that can be uploaded. */
export const refusedFormats: ReadonlyMap<string, { name: string; advice: string }> = new Map([
  [
    '.txt',
    {
      name: 'a text file',
      advice:
        'If it is a table of genes and cells, rename it to .csv: the separator is detected. If it lists the barcodes or genes of a matrix, as kallisto writes them, rename it to .tsv.',
    },
  ],
  [
    '.rdata',
    {
      name: 'an R workspace',
      advice: 'load() it in R and save its one object: saveRDS(x, "file.rds").',
    },
  ],
]);

/** Extensions that an upload may have. `supabase/migrations` lists them for the database. */
export const uploadExtensions: readonly string[] = [
  ...uploadKinds.map(({ extension }) => extension),
  ...uploadKinds.filter(({ gzip }) => gzip).map(({ extension }) => `${extension}.gz`),
];

/** 'Counts.MTX' → '.mtx', 'matrix.mtx.gz' → '.mtx.gz'; empty without an extension, or with nothing before it. */
export function extensionOf(name: string): string {
  const lower = name.toLowerCase();
  const packed = uploadExtensions.find(
    (extension) => extension.endsWith('.gz') && lower.endsWith(extension) && lower.length > extension.length,
  );
  const dot = lower.lastIndexOf('.');
  return packed ?? (dot > 0 ? lower.slice(dot) : '');
}

/** Other extensions of files from which datasets are made outside of uploads. */
const otherExtensions = /\.(zarr|zarr\.zip|tsv|txt)(\.gz)?$/i;

/** 'atlas.h5ad.gz' → 'atlas': dataset name from a file name. */
export function withoutExtension(name: string): string {
  const other = name.replace(otherExtensions, '');
  if (other !== name && other !== '') return other;
  return isDatasetFile(name) ? name.slice(0, -extensionOf(name).length) : name;
}

/** Kind of a file by its name, gzipped or not; undefined for unsupported names. */
export function uploadKind(name: string): UploadKind | undefined {
  const own = extensionOf(name).replace(/\.gz$/, '');
  return uploadKinds.find(({ extension }) => extension === own);
}

export interface MatrixPart {
  /** Prefix of the name, such as `GSM1_`; empty for `matrix.mtx` itself. */
  readonly prefix: string;
  /** Includes Cell Ranger's `genes.tsv` from before version 3 as features. */
  readonly part: 'matrix.mtx' | 'barcodes.tsv' | 'features.tsv';
}

/** Part of a matrix that a file name indicates; undefined for other names. */
export function matrixPart(name: string): MatrixPart | undefined {
  const [, prefix, part] =
    /^(.*?)(matrix\.mtx|barcodes\.tsv|(?:features|genes)\.tsv)(?:\.gz)?$/i.exec(name) ?? [];
  if (prefix === undefined || part === undefined) return undefined;
  const first = part[0]!.toLowerCase();
  return { prefix, part: first === 'm' ? 'matrix.mtx' : first === 'b' ? 'barcodes.tsv' : 'features.tsv' };
}

/** Whether an archive is compressed as a whole: reading a member then requires unpacking all before it. */
export function isPackedTar(name: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(name);
}

export function listExtensions(word: 'and' | 'or', kinds: readonly UploadKind[] = uploadKinds): string {
  const extensions = kinds.map(({ extension }) => extension);
  const last = extensions.at(-1)!;
  return extensions.length === 1 ? last : `${extensions.slice(0, -1).join(', ')} ${word} ${last}`;
}

export const datasetKinds: readonly UploadKind[] = uploadKinds.filter(({ dataset }) => dataset);

export const onlyDatasetsText = `Only ${listExtensions('and', datasetKinds)} files can be explored. Convert a matrix with its two tables to H5AD first, on the page Upload Data.`;

export function isDatasetFile(name: string): boolean {
  return uploadKind(name)?.dataset === true;
}
