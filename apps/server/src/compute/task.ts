/** Work for a compute thread, as plain data that crosses the thread boundary. */
export type Task =
  | { readonly kind: 'gene-umap'; readonly dataset: DatasetRef; readonly row: number }
  | { readonly kind: 'gene-violin'; readonly dataset: DatasetRef; readonly row: number }
  | { readonly kind: 'default-umap'; readonly dataset: DatasetRef };

/** A dataset at one version: work on an older version must not meet newer data. */
export interface DatasetRef {
  readonly id: string;
  readonly version: string;
}

/** A drawn figure. */
export interface DrawnFigure {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Serialisable figure spec. */
  readonly spec: Record<string, unknown>;
}

/** Error classes do not survive the thread boundary, so a failure travels as data. */
export type Outcome =
  | { readonly ok: true; readonly figure: DrawnFigure }
  | { readonly ok: false; readonly tag: string; readonly message: string };

/** Settings every compute thread starts with. */
export interface ComputeSettings {
  readonly objectRoot: string;
  readonly expressionCacheBytes: number;
  readonly openDatasets: number;
}
