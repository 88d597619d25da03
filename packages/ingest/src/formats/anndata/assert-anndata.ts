import { listedNames } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import type { Hdf5File } from '../../hdf5/hdf5-file.ts';

const maxNames = 6;
const maxNameLength = 60;

interface Kind {
  readonly what: string;
  readonly hint: string;
}

/** Other HDF5 formats of the field, tried in this order; each has advice on converting it to an .h5ad file. */
const kinds: readonly ((file: Hdf5File) => Kind | undefined)[] = [muData, tenxMolecules];

/** Throws H5adError `not-anndata` for an HDF5 file of another format, with the format and advice. */
export function assertAnnData(file: Hdf5File): void {
  // MuData has obs and var as AnnData has; no other format here has either.
  const isAnnData = file.kind('obs') !== undefined && file.kind('var') !== undefined;
  for (const kind of isAnnData ? [muData] : kinds) {
    const fileKind = kind(file);
    if (fileKind !== undefined)
      throw notAnnData(file, `this is ${fileKind.what}, not an AnnData file.`, fileKind.hint);
  }
  if (['X', 'raw', 'raw.X', 'layers', 'obs', 'var'].some((part) => file.kind(part) !== undefined)) return;
  const names = file.children('');
  const holds = names.length === 0 ? 'nothing' : listedNames(names.map(plain), maxNames);
  throw notAnnData(
    file,
    `this is an HDF5 file, but not an AnnData file: it has no X, obs and var. It holds ${holds}.`,
    'Read it with the tool that wrote it, and write it with anndata.AnnData.write_h5ad.',
  );
}

export function noExpression(file: Hdf5File): H5adError {
  const layers = file.kind('layers') === 'group' ? file.children('layers') : [];
  const [first] = layers;
  return new H5adError({
    code: 'no-x',
    path: file.path,
    part: 'X',
    problem:
      first === undefined
        ? 'there is no expression to take: X is empty (None), and there is neither raw nor a layer.'
        : `there is no expression to take: X is empty (None), there is no raw, and no layer has the name and the values of counts or of log-normalised expression. Its layers: ${listedNames(layers.map(plain), maxNames)}.`,
    hint:
      first === undefined
        ? 'Set adata.X to the counts, cells x genes, and write the file again.'
        : `Choose one, such as adata.X = adata.layers[${quoted(first)}].copy(), and write the file again.`,
  });
}

function muData(file: Hdf5File): Kind | undefined {
  if (file.kind('mod') !== 'group' || file.kind('X') !== undefined) return undefined;
  const modalities = file.children('mod');
  const chosen = modalities.find((name) => /^(rna|gex|gene)/i.test(name)) ?? modalities[0] ?? 'rna';
  return {
    what: `a MuData file (.h5mu) of the modalities ${listedNames(modalities.map(plain), maxNames)}`,
    hint: `In Python: mudata.read("file.h5mu").mod[${quoted(chosen)}].write_h5ad("file.h5ad").`,
  };
}

function tenxMolecules(file: Hdf5File): Kind | undefined {
  if (file.kind('barcode_idx') === undefined || file.kind('umi') === undefined) return undefined;
  return {
    what: 'a 10x Genomics file of molecules (molecule_info.h5)',
    hint: 'It lists molecules and not the counts of cells: use filtered_feature_bc_matrix of the same run.',
  };
}

function notAnnData(file: Hdf5File, problem: string, hint: string): H5adError {
  return new H5adError({ code: 'not-anndata', path: file.path, part: '', problem, hint });
}

/** A name of the file for use in messages, without characters that control a terminal. */
function plain(name: string): string {
  return name.slice(0, maxNameLength).replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
}

function quoted(name: string): string {
  return JSON.stringify(plain(name));
}
