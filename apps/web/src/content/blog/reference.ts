export interface Reference {
  /** Citation key: first author and year. */
  readonly key: string;
  /** Family names and initials; for more than four authors, the first three and `et al.` */
  readonly authors: string;
  readonly year: number;
  readonly title: string;
  readonly journal: string;
  /** Volume and pages, or the number of a preprint. */
  readonly where: string;
  /** Without the resolver; absent for works that only have an address. */
  readonly doi?: string;
  readonly address?: string;
}

export function addressOf({ doi, address }: Reference): string | undefined {
  return doi === undefined ? address : `https://doi.org/${doi}`;
}
