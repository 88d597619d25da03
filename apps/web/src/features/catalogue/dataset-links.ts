/** Where a dataset is explored. */
export function explorerPath(disease: string, dataset: string): string {
  return `/explorer?${new URLSearchParams({ disease, dataset })}`;
}

/** An address of the analysis server as the page can load it; absolute addresses stay as they are. */
export function assetUrl(analysisUrl: string, path: string): string {
  return new URL(path, `${analysisUrl}/`).href;
}

/** The public page of a GEO series; `undefined` where the number is not one. */
export function gsePage(accession: string): string | undefined {
  return /^GSE\d+$/i.test(accession)
    ? `https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=${accession.toUpperCase()}`
    : undefined;
}
