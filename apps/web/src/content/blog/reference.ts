/** A published work, as the reference lists show it. */
export interface Reference {
  /** Names it in a text: first author and year. */
  readonly key: string;
  /** Family names and initials; of more than four, the first three and `et al.` */
  readonly authors: string;
  readonly year: number;
  readonly title: string;
  readonly journal: string;
  /** Volume and pages, or the number of a preprint. */
  readonly where: string;
  /** Without the resolver; absent for works that have an address only. */
  readonly doi?: string;
  readonly address?: string;
}

/** Where a work can be read. */
export function addressOf({ doi, address }: Reference): string | undefined {
  return doi === undefined ? address : `https://doi.org/${doi}`;
}
