import type { GeneSet } from './gene-set.ts';

/** A file that is no library of gene sets; the message says which file and line, and what it should be. */
export class InvalidGmt extends Error {
  override readonly name = 'InvalidGmt';
  readonly fileName: string;
  /** From 1; absent where the file as a whole is at fault. */
  readonly line: number | undefined;
  constructor(fileName: string, line: number | undefined, reason: string) {
    super(`${fileName}${line === undefined ? '' : `, line ${line}`}: ${reason}`);
    this.fileName = fileName;
    this.line = line;
  }
}

export interface ParsedGmt {
  readonly sets: readonly GeneSet[];
  /** What was left out or is doubtful, in sentences that name file and line. */
  readonly warnings: readonly string[];
}

const FORM = 'each line is a set name, a description (may be empty) and genes, separated by tabs';
/** Control characters but for white space. */
const CONTROL = /[^\P{Cc}\t\n\v\f\r]/u;
/** Enrichr writes a gene with its weight: `TP53,1.0`. */
const WEIGHT = /,[-+]?\d*\.?\d+(?:e[-+]?\d+)?$/i;

/**
 * Reads gene sets in the GMT form, as MSigDB and Enrichr give them. Empty lines are skipped, white space around
 * names is cut off, a gene repeated in a set counts once. Sets without genes are left out with a warning; of sets
 * with the same name the last is kept, as gseapy does, with a warning. Throws InvalidGmt.
 */
export function parseGmt(text: string, fileName: string): ParsedGmt {
  refuseWhatIsNoText(text, fileName);
  const sets = new Map<string, { set: GeneSet; line: number }>();
  const warnings: string[] = [];
  const warn = (line: number, what: string) => warnings.push(`${fileName}, line ${line}: ${what}`);

  // One string a gene for the whole library, whose sets name it again and again: less than half of the memory.
  const spellings = new Map<string, string>();
  const lines = text.split(/\r\n|\n|\r/);
  for (let i = 0; i < lines.length; i++) {
    const line = i + 1;
    const content = i === 0 ? lines[i]!.replace(/^\uFEFF/, '') : lines[i]!;
    if (content.trim() === '') continue;
    const fields = content.split('\t');
    if (fields.length < 2) throw new InvalidGmt(fileName, line, `there is no tab; in a GMT file ${FORM}.`);
    const name = fields[0]!.trim();
    if (name === '') throw new InvalidGmt(fileName, line, `the set has no name; in a GMT file ${FORM}.`);
    const genes = genesOf(fields, spellings);
    if (content.includes('\uFFFD')) {
      warn(line, `a letter of the set ${JSON.stringify(name)} could not be read; save the file as UTF-8.`);
    }
    if (genes.length === 0) {
      warn(line, `the set ${JSON.stringify(name)} has no genes and is left out.`);
      continue;
    }
    const earlier = sets.get(name);
    if (earlier) {
      warn(
        line,
        `the set ${JSON.stringify(name)} was on line ${earlier.line} already; the later one is kept.`,
      );
    }
    sets.set(name, { set: { name, genes }, line });
  }
  if (sets.size === 0) throw new InvalidGmt(fileName, undefined, `no set has a gene; in a GMT file ${FORM}.`);
  return { sets: Array.from(sets.values(), ({ set }) => set), warnings };
}

function genesOf(fields: readonly string[], spellings: Map<string, string>): string[] {
  const genes = new Set<string>();
  for (let i = 2; i < fields.length; i++) {
    let gene = fields[i]!.trim();
    if (gene.includes(',')) gene = gene.replace(WEIGHT, '');
    if (gene === '') continue;
    const known = spellings.get(gene);
    if (known === undefined) spellings.set(gene, gene);
    genes.add(known ?? gene);
  }
  return [...genes];
}

function refuseWhatIsNoText(text: string, fileName: string): void {
  if (text.trim() === '') {
    throw new InvalidGmt(fileName, undefined, `the file is empty; fetch it again. In a GMT file ${FORM}.`);
  }
  const start = text
    .slice(0, 1000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^<(?:!doctype|html|head|body|\?xml|!--)/i.test(start)) {
    throw new InvalidGmt(
      fileName,
      1,
      'this is a web page, not a library of gene sets; the address may have answered with an error page or a sign-in page.',
    );
  }
  // Compressed files, workbooks and the like, read as text.
  const odd = CONTROL.exec(text);
  if (odd) {
    const line = text.slice(0, odd.index).split('\n').length;
    throw new InvalidGmt(
      fileName,
      line,
      `this is not UTF-8 text; if the file is compressed, uncompress it first. In a GMT file ${FORM}.`,
    );
  }
}
