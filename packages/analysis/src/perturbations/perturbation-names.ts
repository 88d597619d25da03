/** Usual names of columns of obs that hold the perturbation or guide of each cell, the most specific first. */
const columnNames = [
  'perturbation',
  'perturbation_name',
  'perturbed_gene',
  'target_gene',
  'gene_target',
  'genetic_perturbation_id',
  'guide_identity',
  'guide_target',
  'condition',
  'target',
  'guide',
  'guide_id',
  'feature_call',
  'sgrna',
  'grna',
];
const guideNames = [
  'guide_id',
  'guide_identity',
  'guide',
  'sgrna',
  'grna',
  'feature_call',
  'sgid_ab',
  'barcode_guide',
];

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s.-]+/g, '_');
}

function named(columns: readonly string[], names: readonly string[]): string[] {
  return names.flatMap((name) => columns.filter((column) => plain(column) === name));
}

/** The columns whose names say that they hold perturbations, the most specific first. */
export function perturbationColumns(columns: readonly string[]): string[] {
  return named(columns, columnNames);
}

/** The columns whose names say that they hold guides. */
export function guideColumns(columns: readonly string[]): string[] {
  return named(columns, guideNames);
}

/** Names of cells without a perturbed gene, as CELLxGENE, scPerturb and makers of guides write them. */
const controlWord =
  /(?:sg|grna|guide)?[\s_-]?(?:non[\s_-]?target(?:ing)?|ntc?|neg(?:ative)?[\s_-]?(?:ctrl|control)?|ctrl|controls?|safe[\s_-]?(?:targeting|harbou?r)|scrambled?|aavs1|rosa26|lacz|luciferase|unperturbed|no[\s_-]perturbations?)/iy;
/** Behind a control word: the sequence of the guide, what it is of, a number, or a letter. */
const suffix = /[acgt]{10,}|guide|sgrna|grna|cells?|g(?=\d)|\d+|[a-h](?![a-z])/iy;
const separators = /[\s_+|,;:-]*/y;

/** Each part of the name is a control word or belongs to one; read once from left to right, however long it is. */
export function isControlName(name: string): boolean {
  const text = name.trim();
  let end = endOf(controlWord, text, 0);
  if (end === undefined) return false;
  for (;;) {
    end = endOf(separators, text, end) ?? end;
    if (end === text.length) return true;
    const next: number | undefined = endOf(controlWord, text, end) ?? endOf(suffix, text, end);
    if (next === undefined) return false;
    end = next;
  }
}

function endOf(part: RegExp, text: string, from: number): number | undefined {
  part.lastIndex = from;
  return part.test(text) ? part.lastIndex : undefined;
}

/**
 * Target genes of a perturbation by its name, such as `KLF1`, `sgKLF1_2`, `KLF1+BAK1` or `KLF1_ctrl`: the parts of the
 * name that `find` takes for a gene. The whole name comes first, as names of genes may have hyphens.
 */
export function targetGenes(name: string, find: (gene: string) => number | undefined): number[] {
  const whole = find(name);
  if (whole !== undefined) return [whole];
  const rows = new Set<number>();
  for (const part of name.split(/[+|,;/]|__/)) {
    const row = geneOf(part.trim(), find);
    if (row !== undefined) rows.add(row);
  }
  return [...rows];
}

/** The longest beginning that is a gene. */
function geneOf(part: string, find: (gene: string) => number | undefined): number | undefined {
  for (const bare of new Set([part, part.replace(/^(?:sg|g)(?=[A-Z0-9])/, '')])) {
    const pieces = bare.split(/([_\s.:-])/);
    for (let end = pieces.length; end > 0; end -= 2) {
      const gene = pieces.slice(0, end).join('');
      const row = gene === '' || isControlName(gene) ? undefined : find(gene);
      if (row !== undefined) return row;
    }
  }
  return undefined;
}
