import { listedNames, type PackedStrings, stringAt, type Table, unpackStrings } from '@cellfolio/model';
import { keptColumn, keptLayout } from '../../additions.ts';
import { jointParts, modalities } from '../../carried/carried-content.ts';
import { planCarried } from '../../carried/plan-carried.ts';
import type {
  DataFrame,
  DatasetFile,
  EmbeddingLayout,
  Embeddings,
  FileFormat,
  ProteinPlace,
} from '../../dataset-file.ts';
import { isProteinType } from '../../features/gene-features.ts';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';
import { matrixLayout } from '../../layout/matrix-layout.ts';
import { anndata, plain } from '../anndata/anndata.ts';
import { readDataFrame } from '../anndata/data-frame.ts';
import { embeddingLayouts } from '../anndata/embeddings.ts';
import { sameNames } from '../anndata/gene-table.ts';

/**
 * .h5mu files, https://mudata.readthedocs.io/en/latest/notebooks/quickstart_mudata.html: each modality is an AnnData
 * file under `mod`. Read are the cells of that of RNA, with the proteins, columns and coordinates that the file has of
 * the same cells elsewhere.
 */
export const mudata: FileFormat = {
  recognises: (file) => file.kind('mod') === 'group' && file.kind('X') === undefined,
  present: (file): DatasetFile => {
    const names = file.children('mod').filter((name) => file.kind(`mod/${name}`) === 'group');
    const rna = names.find((name) => isOfGenes.test(name) && !isProteinType(name));
    if (rna === undefined) throw noGenes(file, names);
    const protein = names.find(isProteinType);
    const own = anndata.present(file.within(`mod/${rna}`));
    let jointTable: JointTable | undefined;
    const joint = (cells: PackedStrings) => (jointTable ??= readJointTable(file, cells));
    return {
      ...own,
      table: (path, what) => {
        const frame = own.table(path, what);
        return what === 'obs' ? withJointColumns(frame, joint(frame.table.index), rna) : frame;
      },
      embeddings: (cells) => {
        const modality = own.embeddings(cells);
        return withJointEmbeddings(file, modality, joint(cells), names);
      },
      proteins: (cells) =>
        protein === undefined ? own.proteins?.(cells) : modalityProteins(file, `/mod/${protein}`, cells),
      carried: (wish) => {
        const read = [...wish.held, ...wish.displaced];
        const isRead = (name: string) =>
          name === rna || read.some((path) => path.startsWith(`/${modalities}/${name}/`));
        const elements = [
          ...names.filter((name) => !isRead(name)).map((name) => `${modalities}/${name}`),
          ...jointPaths(file, names),
        ].map((at) => ({ at, path: at.startsWith(modalities) ? at : `${jointParts}/${at}` }));
        return planCarried(own.hdf5, { ...wish, beside: { file, elements } });
      },
    };
  },
};

/** Elements of all modalities together that nothing reads. */
function jointPaths(file: Hdf5File, names: readonly string[]): string[] {
  return ['obsp', 'varm', 'varp', 'uns'].flatMap((group) =>
    file.kind(group) === 'group'
      ? // Named as a modality are arrays that say which genes it has.
        file.children(group).flatMap((name) => (names.includes(name) ? [] : [`${group}/${name}`]))
      : [],
  );
}

const isOfGenes = /rna|gex|gene|transcript|expression/i;

function noGenes(file: Hdf5File, names: readonly string[]): H5adError {
  return new H5adError({
    code: 'not-anndata',
    path: file.path,
    part: 'mod',
    problem: `this is a MuData file whose modalities are ${names.length === 0 ? 'missing' : listedNames(names.map(plain), 6)}: none is named as RNA is.`,
    hint: 'In Python, rename that of gene expression: mdata.mod["rna"] = mdata.mod.pop("…"), and write the file again.',
  });
}

/** The table of all cells of the file, as far as it is about the cells of the RNA. */
interface JointTable {
  frame: DataFrame;
  rowCount: number;
  /** Row of each cell of the RNA; undefined if they are the same rows, in the same order. */
  rows?: Int32Array;
  /** Why its columns cannot be used. */
  reason?: string;
}

function readJointTable(file: Hdf5File, cells: PackedStrings): JointTable {
  const frame = readDataFrame(file, 'obs', 'obs');
  const { index, rowCount } = frame.table;
  if (sameNames(index, cells)) return { frame, rowCount };
  const rowOf = new Map(unpackStrings(index).map((name, row) => [name, row]));
  const rows = new Int32Array(cells.offsets.length - 1);
  const isUnique = rowOf.size === rowCount;
  const hasAll = rows.every((_, cell) => {
    rows[cell] = rowOf.get(stringAt(cells, cell)) ?? -1;
    return rows[cell] !== -1;
  });
  if (isUnique && hasAll) return { frame, rowCount, rows };
  return {
    frame,
    rowCount,
    reason: isUnique
      ? 'the table of all cells lacks some cells of the RNA'
      : 'names of cells repeat among the modalities',
  };
}

/** Columns under `<modality>:` of the RNA are copies of its own. */
function withJointColumns(
  frame: DataFrame,
  { frame: joint, rows, reason }: JointTable,
  rna: string,
): DataFrame {
  const stored = `${frame.stored}, in the modality ${plain(rna)} of a MuData file`;
  const others = [...joint.table.columns].filter(([name]) => !name.startsWith(`${rna}:`));
  const skipped = [...frame.skipped, ...joint.skipped];
  if (reason !== undefined)
    return { ...frame, stored, skipped: [...skipped, ...others.map(([column]) => ({ column, reason }))] };
  const columns: Table['columns'] = new Map([
    ...others.map(
      ([name, column]) => [name, rows === undefined ? column : keptColumn(column, rows)] as const,
    ),
    ...frame.table.columns,
  ]);
  return { table: { ...frame.table, columns }, stored, skipped };
}

/** Coordinates of all modalities together; where the RNA has some of the same name, these are called `X_joint_…`. */
function withJointEmbeddings(
  file: Hdf5File,
  { embeddings, skipped }: Embeddings,
  { frame, rowCount, rows, reason }: JointTable,
  modalities: readonly string[],
): Embeddings {
  const joint = embeddingLayouts(file, frame.table.index);
  // The others say which cells a modality has.
  const left = joint.skipped.filter(({ name }) => !modalities.includes(name));
  if (reason !== undefined)
    return {
      embeddings,
      skipped: [...skipped, ...left, ...joint.embeddings.map(({ name }) => ({ name, reason }))],
    };
  const names = new Set(embeddings.map(({ name }) => name));
  const placed = (layout: EmbeddingLayout): EmbeddingLayout => {
    const name = names.has(layout.name) ? `X_joint_${layout.name.replace(/^X_/, '')}` : layout.name;
    const own = { ...layout, name, read: () => ({ ...layout.read(), name }) };
    return rows === undefined || layout.rowCount !== rowCount ? own : keptLayout(own, rows);
  };
  return { embeddings: [...embeddings, ...joint.embeddings.map(placed)], skipped: [...skipped, ...left] };
}

/** Counts of the modality, else what it holds. */
function modalityProteins(file: Hdf5File, modality: string, cells: PackedStrings): ProteinPlace | undefined {
  const place = ['raw/X', 'layers/counts', 'X']
    .map((part) => `${modality}/${part}`)
    .find((part) => file.kind(part) !== undefined);
  const values = place === undefined ? undefined : matrixLayout(file, place);
  if (place === undefined || values === undefined) return undefined;
  const varPath = place.endsWith('raw/X') ? `${modality}/raw/var` : `${modality}/var`;
  const leftOut = (reason: string): ProteinPlace => ({
    path: place,
    names: [],
    parts: [],
    values: [],
    skipped: [{ name: modality, reason }],
  });
  if (!sameNames(readDataFrame(file, `${modality}/obs`, 'obs').table.index, cells))
    return leftOut('its cells are not those of the RNA in their order; muon.pp.intersect_obs makes them so');
  const names = unpackStrings(readDataFrame(file, varPath, 'var').table.index);
  if (values.cellCount !== cells.offsets.length - 1 || values.geneCount !== names.length)
    return leftOut(
      `its values are of ${values.cellCount} cells and ${values.geneCount} proteins, its tables are not`,
    );
  return { path: place, names, parts: [varPath], values, skipped: [] };
}
