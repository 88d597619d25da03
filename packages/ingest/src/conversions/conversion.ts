import type { GenesIn } from '../import-columns.ts';
import type { NamedFile } from '../matrix-market/convert-matrix-market.ts';

/** What a look at a file or a folder shows without reading it. */
export interface FirstLook {
  readonly file: NamedFile;
  /** Names in it, where it is a folder. */
  readonly folder: readonly string[] | undefined;
  /** Whether it is packed by gzip. */
  readonly packed: boolean;
  /** Its first bytes, unpacked; zeros behind a short one. */
  readonly head: Buffer;
}

export interface ConversionOptions {
  readonly genesIn?: GenesIn | undefined;
  readonly signal?: AbortSignal | undefined;
  /** 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

export interface Converted {
  /** What a user should know, in sentences. */
  readonly notes: readonly string[];
  /** Of a table of text: where its genes were taken to be, and whether that was only assumed and is to be asked about. */
  readonly table?: { readonly genesIn: GenesIn; readonly assumed: boolean };
}

/** A format that datasets are not read from directly: an HDF5 file that they are read from is made of it. */
export interface Conversion {
  /** In messages, such as `a table of text`. */
  readonly title: string;
  /** By what the file holds, and by its name where that leaves it open. */
  readonly recognises: (look: FirstLook) => boolean;
  /**
   * Writes the HDF5 file, which appears when it is whole. Throws TextFileError or H5adError that names the part;
   * H5adWriteFailed; the signal's reason.
   */
  readonly convert: (file: NamedFile, output: string, options: ConversionOptions) => Promise<Converted>;
}
