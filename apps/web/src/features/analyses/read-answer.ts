export interface ReadAnswer {
  /** Summary of request and tests in one line; `cells` describes the cells. */
  summary(cells: string): string;
  figure: {
    /** PNG in base64; empty when nothing was drawn. */
    image: string;
    width: number;
    height: number;
    print: { width: number; height: number } | undefined;
  };
  nothing: NothingFound | null;
  /** The gravest first. */
  cautions: readonly string[];
  groups: readonly {
    name: string;
    markers: number;
    few_cells: boolean;
    /** Parts of the name, when groups are split by a second column. */
    of?: { group: string; category: string } | undefined;
  }[];
  /** Labels for rising and falling, and the criterion for differing; absent when the rows have no direction. */
  directions?: Directions;
  /** Column of the groups; a bare number means nothing without it. */
  groupedBy?: string;
  splitBy?: string;
}

export interface Directions {
  /** Where genes with a positive fold change are higher, and where those with a negative one are. */
  higher: string;
  lower: string;
  adjustedP: number;
  foldChange: number;
}

export interface NothingFound {
  title: string;
  text: string;
}

type Print = ReadAnswer['figure']['print'];

/** The figure of a response, in the fields whose names begin with `name`. */
export function figureOf<Name extends string>(
  answer: Readonly<
    Record<`${Name}_image`, string> &
      Record<`${Name}_width` | `${Name}_height`, number> &
      Partial<Record<`${Name}_print`, Print>>
  >,
  name: Name,
): ReadAnswer['figure'] {
  const fields = new Map<string, unknown>(Object.entries(answer));
  return {
    image: fields.get(`${name}_image`) as string,
    width: fields.get(`${name}_width`) as number,
    height: fields.get(`${name}_height`) as number,
    print: fields.get(`${name}_print`) as Print,
  };
}
