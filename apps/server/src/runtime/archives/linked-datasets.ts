import type { CatalogueEntry } from '@cellfolio/model';
import type { FilePart } from '../remote/receive.ts';

/** A link that leads to nothing that can be fetched. */
export class LinkFailed extends Error {
  override readonly name = 'LinkFailed';
  /** It is no page of data, there is nothing behind it, or what is there cannot be read. */
  readonly reason: 'no-page' | 'not-found' | 'unreadable';

  constructor(reason: LinkFailed['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A file on another server. */
export interface RemoteFile {
  readonly address: string;
  readonly name: string;
  /** Where the server says it. */
  readonly bytes?: number | undefined;
  /** Where in what the address names it lies: a member of an archive. */
  readonly part?: MemberPart | undefined;
}

/** Where a member of an archive lies. */
export interface MemberPart extends FilePart {
  /** In what the archive unpacks to, which is fetched whole. */
  readonly packed?: boolean | undefined;
}

/** What a link leads to, as far as it can be read. */
export interface LinkedDataset {
  /** By which it is chosen; unique in its link. */
  readonly name: string;
  /** One file, or a matrix and its two tables. */
  readonly files: readonly RemoteFile[];
  readonly cells?: number | undefined;
  readonly organism?: string | undefined;
  /** Under which its server gives it away. */
  readonly licence?: string | undefined;
  /** What the server says of it, as fields of the catalogue. */
  readonly entry: Partial<CatalogueEntry>;
  /** What the server says of the sample: `tissue` and its value. */
  readonly values: ReadonlyMap<string, string>;
}

export interface LinkedDatasets {
  /** The link as the server calls it. */
  readonly title: string;
  readonly datasets: readonly LinkedDataset[];
  /** Files that cannot be read, each with the reason. */
  readonly unreadable: readonly string[];
}

/** Where the archives answer; others in tests. */
export interface Archives {
  /** API of CELLxGENE Discover. */
  readonly discover: string;
  /** Pages of GEO, by accession. */
  readonly geo: string;
  /** Files of GEO. */
  readonly geoFiles: string;
}

export const publicArchives: Archives = {
  discover: 'https://api.cellxgene.cziscience.com/curation/v1',
  geo: 'https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi',
  geoFiles: 'https://ftp.ncbi.nlm.nih.gov',
};
