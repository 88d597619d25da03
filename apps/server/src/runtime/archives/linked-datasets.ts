import type { CatalogueEntry } from '@cellfolio/model';
import type { FilePart } from '../remote/receive.ts';

/** A link without anything that can be downloaded. */
export class LinkFailed extends Error {
  override readonly name = 'LinkFailed';
  /** The link is not a data page, has no content, or its content cannot be read. */
  readonly reason: 'no-page' | 'not-found' | 'unreadable';

  constructor(reason: LinkFailed['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface RemoteFile {
  address: string;
  name: string;
  /** Folder of the file below that of its matrix, such as `spatial`. */
  folder?: string | undefined;
  /** If the server states it. */
  bytes?: number | undefined;
  /** Range within the address: a member of an archive. */
  part?: MemberPart | undefined;
}

export interface MemberPart extends FilePart {
  /** Position within the unpacked archive, which has to be fetched completely. */
  packed?: boolean | undefined;
}

export interface LinkedDataset {
  /** Identifies the dataset; unique within its link. */
  name: string;
  /** One file, or a matrix and its two tables. */
  files: readonly RemoteFile[];
  cells?: number | undefined;
  organism?: string | undefined;
  licence?: string | undefined;
  entry: Partial<CatalogueEntry>;
  /** Metadata of the sample from the server: `tissue` and its value. */
  values: ReadonlyMap<string, string>;
}

export interface LinkedDatasets {
  title: string;
  datasets: readonly LinkedDataset[];
  unreadable: readonly string[];
}

export interface Archives {
  discover: string;
  geo: string;
  geoFiles: string;
}

export const publicArchives: Archives = {
  discover: 'https://api.cellxgene.cziscience.com/curation/v1',
  geo: 'https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi',
  geoFiles: 'https://ftp.ncbi.nlm.nih.gov',
};
