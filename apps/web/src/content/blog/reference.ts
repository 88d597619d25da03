export interface Reference {
  /** Citation key: first author and year. */
  key: string;
  /** Family names and initials; for more than four authors, the first three and `et al.` */
  authors: string;
  year: number;
  title: string;
  journal: string;
  /** Volume and pages, or the number of a preprint. */
  where: string;
  /** Without the resolver; absent for works that only have an address. */
  doi?: string;
  address?: string;
}

export function addressOf({ doi, address }: Reference): string | undefined {
  return doi === undefined ? address : `https://doi.org/${doi}`;
}
