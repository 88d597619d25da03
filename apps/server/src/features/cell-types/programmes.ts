/** Genes that are high in cells of any type for other reasons than the type. */
export const programmes: readonly { readonly name: string; readonly isIn: (symbol: string) => boolean }[] = [
  { name: 'mitochondrial genes', isIn: (symbol) => /^MT-/i.test(symbol) },
  { name: 'ribosomal genes', isIn: (symbol) => /^RP(?:[SL]\d+[AXYL]?\d?|LP[0-2]|SA)$/i.test(symbol) },
  { name: 'genes of the cell cycle', isIn: (symbol) => cycling.has(symbol.toUpperCase()) },
];

/** Of DNA replication and of mitosis. */
const cycling: ReadonlySet<string> = new Set(
  'MKI67 TOP2A CDK1 CCNB1 CCNB2 CCNA2 BIRC5 UBE2C TYMS PCNA MCM2 MCM3 MCM5 MCM6 TK1 RRM2 CENPF CENPE NUSAP1 TPX2 AURKB BUB1 PLK1 CDC20 STMN1'.split(
    ' ',
  ),
);
