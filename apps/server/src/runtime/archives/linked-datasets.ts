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
  readonly address: string;
  readonly name: string;
  /** If the server states it. */
  readonly bytes?: number | undefined;
  /** Range within the address: a member of an archive. */
  readonly part?: MemberPart | undefined;
}

export interface MemberPart extends FilePart {
  /** Position within the unpacked archive, which has to be fetched completely. */
  readonly packed?: boolean | undefined;
}

export interface LinkedDataset {
  /** Identifies the dataset; unique within its link. */
  readonly name: string;
  /** One file, or a matrix and its two tables. */
  readonly files: readonly RemoteFile[];
  readonly cells?: number | undefined;
  readonly organism?: string | undefined;
  readonly licence?: string | undefined;
  readonly entry: Partial<CatalogueEntry>;
  /** Metadata of the sample from the server: `tissue` and its value. */
  readonly values: ReadonlyMap<string, string>;
}

export interface LinkedDatasets {
  readonly title: string;
  readonly datasets: readonly LinkedDataset[];
  readonly unreadable: readonly string[];
}

export interface Archives {
  readonly discover: string;
  readonly geo: string;
  readonly geoFiles: string;
}

export const publicArchives: Archives = {
  discover: 'https://api.cellxgene.cziscience.com/curation/v1',
  geo: 'https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi',
  geoFiles: 'https://ftp.ncbi.nlm.nih.gov',
};
