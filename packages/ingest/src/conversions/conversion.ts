import type { GenesIn } from '../import-columns.ts';
import type { NamedFile } from '../matrix-market/convert-matrix-market.ts';

export interface FirstLook {
  readonly file: NamedFile;
  /** Names in it, if it is a folder. */
  readonly folder: readonly string[] | undefined;
  readonly packed: boolean;
  /** First bytes, unpacked; a short file is padded with zeros. */
  readonly head: Buffer;
}

export interface ConversionOptions {
  readonly genesIn?: GenesIn | undefined;
  readonly signal?: AbortSignal | undefined;
  /** 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

export interface Converted {
  readonly notes: readonly string[];
  /** For text tables: assumed position of the genes, and whether this is a guess that the user should confirm. */
  readonly table?: { readonly genesIn: GenesIn; readonly assumed: boolean };
}

/** A format that is converted to an HDF5 file before a dataset is read. */
export interface Conversion {
  readonly title: string;
  /** By content, and by name if the content is ambiguous. */
  readonly recognises: (look: FirstLook) => boolean;
  /**
   * Writes the HDF5 file, which appears when it is complete. Throws TextFileError or H5adError that names the part;
   * H5adWriteFailed; the signal's reason.
   */
  readonly convert: (file: NamedFile, output: string, options: ConversionOptions) => Promise<Converted>;
}
