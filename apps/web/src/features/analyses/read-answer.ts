export interface ReadAnswer {
  /** Summary of request and tests in one line; `cells` describes the cells. */
  summary(cells: string): string;
  readonly figure: {
    /** PNG in base64; empty when nothing was drawn. */
    readonly image: string;
    readonly width: number;
    readonly height: number;
    readonly print: { readonly width: number; readonly height: number } | undefined;
  };
  readonly nothing: NothingFound | null;
  /** The gravest first. */
  readonly cautions: readonly string[];
  readonly groups: readonly {
    readonly name: string;
    readonly markers: number;
    readonly few_cells: boolean;
    /** Parts of the name, when groups are split by a second column. */
    readonly of?: { readonly group: string; readonly category: string } | undefined;
  }[];
  /** Labels for rising and falling, and the criterion for differing; absent when the rows have no direction. */
  readonly directions?: Directions;
  /** Column of the groups; a bare number means nothing without it. */
  readonly groupedBy?: string;
  readonly splitBy?: string;
}

export interface Directions {
  /** Where genes with a positive fold change are higher, and where those with a negative one are. */
  readonly higher: string;
  readonly lower: string;
  readonly adjustedP: number;
  readonly foldChange: number;
}

export interface NothingFound {
  readonly title: string;
  readonly text: string;
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
