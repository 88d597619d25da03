import type { GenesIn } from '../import-columns.ts';
import type { NamedFile } from '../matrix-market/convert-matrix-market.ts';

export interface FirstLook {
  file: NamedFile;
  /** Names in it, if it is a folder. */
  folder: readonly string[] | undefined;
  /** Paths of all files in a folder or a zip file; of AnnData-Zarr the first ones. */
  inside: readonly string[];
  packed: boolean;
  /** First bytes, unpacked; a short file is padded with zeros. */
  head: Buffer;
}

export interface ConversionOptions {
  genesIn?: GenesIn | undefined;
  signal?: AbortSignal | undefined;
  /** 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
}

export interface Converted {
  notes: readonly string[];
  /** For text tables: assumed position of the genes, and whether this is a guess that the user should confirm. */
  table?: { genesIn: GenesIn; assumed: boolean };
}

/** A format that is converted to an HDF5 file before a dataset is read. */
export interface Conversion {
  title: string;
  /** By content, and by name if the content is ambiguous. */
  recognises: (look: FirstLook) => boolean;
  /**
   * Writes the HDF5 file, which appears when it is complete. Throws TextFileError or H5adError that names the part;
   * H5adWriteFailed; the signal's reason.
   */
  convert: (
    file: NamedFile,
    output: string,
    options: ConversionOptions,
    look: FirstLook,
  ) => Promise<Converted>;
}
