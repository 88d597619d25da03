/** A result in the form common to all analyses. */
export interface ReadAnswer {
  /** Summary of request and tests in one line; `cells` describes the cells. */
  summary(cells: string): string;
  readonly figure: {
    /** PNG in base64; empty where nothing was drawn. */
    readonly image: string;
    readonly width: number;
    readonly height: number;
    readonly print: { readonly width: number; readonly height: number } | undefined;
  };
  /** `null` if something passes. */
  readonly nothing: NothingFound | null;
  /** The gravest first. */
  readonly cautions: readonly string[];
  /** What its rows can be chosen by, and which of these stand on few cells. */
  readonly groups: readonly {
    readonly name: string;
    readonly markers: number;
    readonly few_cells: boolean;
    /** What the name is made of, where groups are split by a second column. */
    readonly of?: { readonly group: string; readonly category: string } | undefined;
  }[];
  /** What rises and falls, and what counts as differing; absent where the rows have no direction. */
  readonly directions?: Directions;
  /** Column that the groups are of; a bare number says nothing without it. */
  readonly groupedBy?: string;
  /** The second column that they are split by. */
  readonly splitBy?: string;
}

export interface Directions {
  /** Where genes of a positive fold change are higher, and where those of a negative one. */
  readonly higher: string;
  readonly lower: string;
  readonly adjustedP: number;
  readonly foldChange: number;
}

/** Message for a result in which nothing passes the limits. */
export interface NothingFound {
  readonly title: string;
  /** Which limit leaves nothing, and what to try. */
  readonly text: string;
}

type Print = ReadAnswer['figure']['print'];

/** The figure that came with an answer, in the fields whose names begin with `name`. */
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
