/** A named set of genes, such as a pathway. Names come from a library file: any text. */
export interface GeneSet {
  readonly name: string;
  readonly genes: readonly string[];
}
