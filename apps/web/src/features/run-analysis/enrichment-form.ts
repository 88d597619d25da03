export interface EnrichmentForm {
  /** As it is typed: genes separated by commas, or by what a pasted list has between them. */
  genes: string;
  library: string;
}

export const defaultLibrary = 'KEGG_2021_Human';
export const enrichmentDefaults: EnrichmentForm = { genes: '', library: defaultLibrary };

/** The unique genes of a text, trimmed and upper-cased, in their order. */
export function readGeneList(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[\s,;]+/)
        .map((gene) => gene.trim().toUpperCase())
        .filter((gene) => gene !== ''),
    ),
  ];
}
