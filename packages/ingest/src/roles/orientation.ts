import type { GenesIn } from '../import-columns.ts';

/** Number of names sampled evenly from each side. */
export const looked = 5000;
/**
 * Minimum share of gene names from the families below, which hold a fifth of human and mouse symbols and a third of a
 * panel's.
 */
const enough = 0.03;
/** Minimum ratio of gene names on one side to those on the other. */
const clearly = 3;

const ensembl = /^(ENS[A-Z]*G\d{6,}|FBgn\d{7}|WBGene\d{8})/;
/** Families of numbered human and mouse symbols, with names that nothing else has. */
const families =
  /^(rp[ls]\d+[a-z]?\d?|mt-?(nd|co|atp|cy|rnr|t)[a-z\d]+|hla-[a-z]+\d*|h2-[a-z]+\d*|znf\d+|zfp\d+|slc\d+a\d+|krt\d+[a-z]?|col\d+a\d|tmem\d+[a-z]?|ccdc\d+[a-z]?|fam\d+[a-z]\d?|c\d+orf\d+|linc\d{5}|cd\d+[a-z]?|il\d+[a-z]*\d*|i[gl]h[gmv][\d-]*|tr[abdg][vc][\d-]+|gm\d{4,}|\d{7}[a-z]\d{2}rik|loc\d{5,}|a[cl]\d{6}\.\d+|mir\d+[a-z]*\d*|ankrd\d+[a-z]?|eif\d[a-z]\d?|ndufa?b?s?\d+|cox\d[a-z]\d?|psm[a-d]\d+|polr\d[a-z]|hist\d.*|ube2[a-z]\d?|atp\d[a-z]\d?|usp\d+|wdr\d+|ccl\d+[a-z]?|cxc[lr]\d+|itg[ab]\w+|s100a\d+)$/i;
const common = new Set(
  'actb gapdh b2m malat1 neat1 eef1a1 tmsb4x ftl ftl1 fth1 tpt1 vim lyz lyz2 nkg7 gnly gzmb gzma ms4a1 mki67 top2a pcna alb apoe ins gcg pecam1 vwf epcam ptprc foxp3 ctla4 pdcd1 lag3 sox2 pax6 gfap mbp plp1 snap25 xist ddx3y uty hbb hba1 hba2 fos jun egr1 myc tp53 egfr kras acta2 dcn lum pdgfra pdgfrb stmn1 tubb tuba1b'.split(
    ' ',
  ),
);
const barcode = /(^|[-_.:])[ACGT]{8,}([-_.:]|$)/;

export interface Sides {
  /** Heading of the row-name column; empty if there is none. */
  corner: string;
  rows: readonly string[];
  columns: readonly string[];
}

/** Which side of a table lists genes, judged by the names on both, and why in words; undefined if unclear. */
export function genesAmong({ corner, rows, columns }: Sides): { genesIn: GenesIn; why: string } | undefined {
  const genes = clearer(share(rows, isGeneName), share(columns, isGeneName), enough);
  if (genes !== undefined) return { genesIn: genes, why: `the ${genes} are named as genes are` };
  if (/^(gene|symbol|feature|ensembl|id_ref\b)/i.test(corner))
    return { genesIn: 'rows', why: `the column of names is titled ${JSON.stringify(corner.slice(0, 60))}` };
  if (/^(cell|barcode|well\b|sample)/i.test(corner))
    return {
      genesIn: 'columns',
      why: `the column of names is titled ${JSON.stringify(corner.slice(0, 60))}`,
    };
  const cells = clearer(share(rows, isCellName), share(columns, isCellName), 0.5);
  if (cells === undefined) return undefined;
  return { genesIn: cells === 'rows' ? 'columns' : 'rows', why: `the ${cells} are named as cells are` };
}

function clearer(rows: number, columns: number, minCount: number): GenesIn | undefined {
  if (rows >= minCount && rows > clearly * columns) return 'rows';
  return columns >= minCount && columns > clearly * rows ? 'columns' : undefined;
}

function share(names: readonly string[], is: (name: string) => boolean): number {
  const step = Math.max(1, Math.floor(names.length / looked));
  let checked = 0;
  let matching = 0;
  for (let at = 0; at < names.length; at += step) {
    checked++;
    if (is(names[at]!)) matching++;
  }
  return matching / Math.max(1, checked);
}

/**
 * Whether a name is certainly a gene: an Ensembl id, a member of a symbol family, or a symbol that most datasets have.
 */
export function isGeneName(name: string): boolean {
  return ensembl.test(name) || families.test(name) || common.has(name.toLowerCase());
}

/** Whether a name is certainly a cell: it has a barcode, or begins with `cell` and a number. */
export function isCellName(name: string): boolean {
  return barcode.test(name) || /^cells?[-_. ]?\d/i.test(name);
}
