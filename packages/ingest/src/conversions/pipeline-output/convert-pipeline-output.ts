import { copyFile, stat } from 'node:fs/promises';
import { convertMatrixMarket } from '../../matrix-market/convert-matrix-market.ts';
import { TextFileError } from '../../matrix-market/read-text.ts';
import type { Conversion, ConversionOptions, Converted } from '../conversion.ts';
import type { NamedFile } from '../../matrix-market/convert-matrix-market.ts';
import { isZarr } from '../zarr/convert-zarr.ts';
import { aboutCells, type CellFiles } from './about-cells.ts';
import { filesOfFolder, filesOfZip, type OutputFiles } from './output-files.ts';
import { isPipelineOutput, type OutputParts, outputParts } from './output-parts.ts';

/**
 * The output folder of a pipeline, or a zip file of it: `outs` of Cell Ranger and Space Ranger, Solo.out of STARsolo, the
 * folders of kallisto|bustools, alevin-fry and Parse Biosciences, and the `_MolsPerCell_MEX.zip` of BD Rhapsody
 * (https://bd-rhapsody-bioinfo-docs.genomics.bd.com/outputs/outputs_datatables.html).
 */
export const pipelineOutput: Conversion = {
  title: 'the output folder of a pipeline',
  recognises: ({ inside }) => !isZarr(inside) && isPipelineOutput(inside),
  convert: async (file, output, options, { inside }) => {
    const parts = outputParts(file.name, inside);
    if (parts === undefined) throw withoutLists(file);
    const isFolder = (await stat(file.path)).isDirectory();
    await using files = isFolder ? filesOfFolder(file.path) : await filesOfZip(file.path, `${output}.parts`);
    return await convertParts(files, parts, output, options);
  },
};

async function convertParts(
  files: OutputFiles,
  parts: OutputParts,
  output: string,
  { genesIn, signal, onProgress }: ConversionOptions,
): Promise<Converted> {
  const { matrix, tables, symbols, positions, clusterings, projections } = parts;
  const read = `The matrix was read from ${matrix}.`;
  if (tables === undefined) {
    await copyFile((await files.file(matrix)).path, output);
    const left = [positions, ...[...clusterings, ...projections].map(({ path }) => path)].filter(Boolean);
    return {
      notes: [
        read,
        ...(left.length > 0
          ? [
              `Left out: ${left.join(', ')}. Add the folder filtered_feature_bc_matrix of the same run, and they are read with it.`,
            ]
          : []),
      ],
    };
  }
  const optional = async (path: string | undefined) =>
    path === undefined ? undefined : await files.file(path);
  const symbolsFile = await optional(symbols);
  const cellFiles: CellFiles = {
    positions: await optional(positions),
    clusterings: [],
    projections: [],
  };
  for (const { column, path } of clusterings)
    cellFiles.clusterings.push({ column, ...(await files.file(path)) });
  for (const { embedding, path } of projections)
    cellFiles.projections.push({ embedding, ...(await files.file(path)) });
  const { notes } = await convertMatrixMarket(
    {
      matrix: await files.file(matrix),
      tables: [await files.file(tables[0]), await files.file(tables[1])],
      ...(symbolsFile && { symbols: symbolsFile }),
    },
    output,
    {
      genesIn,
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
      aboutCells: (barcodes) => aboutCells(cellFiles, barcodes),
    },
  );
  return { notes: [read, ...notes] };
}

function withoutLists({ name }: NamedFile): TextFileError {
  return new TextFileError({
    code: 'mismatch',
    path: name,
    problem:
      'has a matrix, but not its lists of cells and genes beside it: barcodes.tsv and features.tsv, or those of kallisto|bustools, alevin-fry or Parse Biosciences. Use the whole folder as the pipeline wrote it.',
  });
}
