import { countText, boundedNames, maxNameLength, quotedHead } from '@cellfolio/model';
import { type GeneSet, type GeneSetColumns, geneSetsOf } from './gene-sets.ts';
import { grown, hashed, SymbolTable } from './symbol-table.ts';

/** A file that is not a valid gene set library; the message names file and line, and what is expected. */
export class InvalidGmt extends Error {
  override readonly name = 'InvalidGmt';
  readonly fileName: string;
  /** 1-based; absent if the whole file is at fault. */
  readonly line: number | undefined;
  constructor(fileName: string, line: number | undefined, reason: string) {
    super(`${fileName}${line === undefined ? '' : `, line ${line}`}: ${reason}`);
    this.fileName = fileName;
    this.line = line;
  }
}

interface ReadGmt {
  sets: GeneSetColumns;
  warnings: readonly string[];
}

interface ParsedGmt {
  sets: readonly GeneSet[];
  warnings: readonly string[];
}

const encoder = new TextEncoder();
/** Keeps a byte order mark, which is only allowed at the start of the whole text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Maximum number of warnings, since every line of a library may cause one. */
const maxWarnings = 1000;
const shownNameLength = 120;

const format = 'each line is a set name, a description (may be empty) and genes, separated by tabs';
/** Enrichr appends a weight to a gene: `TP53,1.0`. */
const weight = /,[-+]?\d*\.?\d+(?:e[-+]?\d+)?$/i;

/** {@link readGmt} with an object and strings per set: for libraries of few sets. Throws InvalidGmt. */
export function parseGmt(text: string, fileName: string): ParsedGmt {
  const { sets, warnings } = readGmt(text, fileName);
  return { sets: geneSetsOf(sets), warnings };
}

/**
 * Reads gene sets in GMT format, as from MSigDB and Enrichr. Skips empty lines, trims names, counts a repeated gene
 * once. Omits sets without genes with a warning; of sets with the same name the last is kept, as in gseapy, with a
 * warning. Names over 500 characters are truncated to unique names, with a warning. Throws InvalidGmt.
 */
export function readGmt(text: string, fileName: string): ReadGmt {
  // Bytes are looked at in half the time of letters, and all that matters here is ASCII.
  const bytes = encoder.encode(text);
  refuseWhatIsNoText(text, bytes, fileName);
  const reader = new GeneReader(bytes);
  // In the order in which names came first; the genes of each are those of its last line.
  const sets = new Map<string, { from: number; to: number; line: number }>();
  const warnings: string[] = [];
  const warn = (line: number, what: string) => {
    if (warnings.length < maxWarnings) warnings.push(`${fileName}, line ${line}: ${what}`);
  };
  const unreadable = text.includes('\uFFFD');

  let line = 0;
  for (let start = text.startsWith('\uFEFF') ? 3 : 0, next = 0; start <= bytes.length; start = next) {
    line++;
    const end = endOfLine(bytes, start);
    next = bytes[end] === carriageReturn && bytes[end + 1] === newLine ? end + 2 : end + 1;
    const firstTab = endOfField(bytes, start, end);
    const name = decoder.decode(bytes.subarray(start, firstTab)).trim();
    const isBlank = name === '' && decoder.decode(bytes.subarray(start, end)).trim() === '';
    if (isBlank) continue;
    if (firstTab === end) throw new InvalidGmt(fileName, line, `there is no tab; in a GMT file ${format}.`);
    if (name === '') throw new InvalidGmt(fileName, line, `the set has no name; in a GMT file ${format}.`);
    const from = reader.count;
    reader.read(endOfField(bytes, firstTab + 1, end) + 1, end);
    if (unreadable && decoder.decode(bytes.subarray(start, end)).includes('\uFFFD')) {
      warn(
        line,
        `the name of the set ${quotedHead(name, shownNameLength)} is not UTF-8; save the file as UTF-8.`,
      );
    }
    if (reader.count === from) {
      warn(line, `the set ${quotedHead(name, shownNameLength)} has no genes and is left out.`);
      continue;
    }
    if (name.length > maxNameLength) {
      warn(
        line,
        `the set ${quotedHead(name)} has a name of ${countText(name.length)} characters and is called by the first ${maxNameLength}.`,
      );
    }
    const earlier = sets.get(name);
    if (earlier) {
      warn(
        line,
        `the set ${quotedHead(name, shownNameLength)} was on line ${earlier.line} already; the later one is kept.`,
      );
    }
    sets.set(name, { from, to: reader.count, line });
  }
  if (sets.size === 0)
    throw new InvalidGmt(fileName, undefined, `no set has a gene; in a GMT file ${format}.`);
  return { sets: reader.columns(sets), warnings };
}

class GeneReader {
  readonly #bytes: Uint8Array;
  readonly #table: SymbolTable;
  #genes = new Int32Array(1 << 16);
  /** Per gene, the last line that had it, so that a repeated gene counts once. */
  #takenBy = new Int32Array(1 << 12);
  #line = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#table = new SymbolTable(bytes);
  }

  get count(): number {
    return this.#count;
  }

  read(start: number, end: number): void {
    const bytes = this.#bytes;
    this.#line++;
    for (let at = start; at < end; at++) {
      const from = at;
      let hash = 0;
      let isPlain = true;
      for (; at < end; at++) {
        const byte = bytes[at]!;
        if (byte === tab) break;
        if (byte <= space || byte === comma || byte > lastAscii) isPlain = false;
        hash = hashed(hash, byte);
      }
      if (at === from) continue;
      if (isPlain) this.#take(this.#table.numberOf(from, at, hash));
      else this.#readOdd(from, at);
    }
  }

  columns(sets: ReadonlyMap<string, { from: number; to: number }>): GeneSetColumns {
    const starts = new Int32Array(sets.size + 1);
    const genes = new Int32Array(this.#count);
    let set = 0;
    let end = 0;
    for (const { from, to } of sets.values()) {
      genes.set(this.#genes.subarray(from, to), end);
      starts[++set] = end += to - from;
    }
    return {
      names: [...boundedNames([...sets.keys()])],
      starts,
      genes: genes.slice(0, end),
      symbols: this.#table.symbols(),
    };
  }

  /** Handles a field with white space, a comma or non-ASCII letters: the gene is the part without weight. */
  #readOdd(from: number, to: number): void {
    const field = decoder.decode(this.#bytes.subarray(from, to));
    const gene = encoder.encode(field.trim().replace(weight, ''));
    if (gene.length === 0) return;
    const blanks = field.slice(0, field.length - field.trimStart().length);
    const start = from + encoder.encode(blanks).length;
    this.#take(this.#table.numberOf(start, start + gene.length, gene.reduce(hashed, 0)));
  }

  #take(gene: number): void {
    if (gene >= this.#takenBy.length) this.#takenBy = grown(this.#takenBy);
    if (this.#takenBy[gene] === this.#line) return;
    this.#takenBy[gene] = this.#line;
    if (this.#count === this.#genes.length) this.#genes = grown(this.#genes);
    this.#genes[this.#count++] = gene;
  }
}

const tab = 0x09;
const newLine = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const comma = 0x2c;
const lastAscii = 0x7e;

function endOfLine(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== newLine && bytes[at] !== carriageReturn) at++;
  return at;
}

function endOfField(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== tab) at++;
  return Math.min(at, end);
}

function refuseWhatIsNoText(text: string, bytes: Uint8Array, fileName: string): void {
  if (text.trim() === '') {
    throw new InvalidGmt(fileName, undefined, `the file is empty; fetch it again. In a GMT file ${format}.`);
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
  const odd = firstControl(bytes);
  if (odd >= 0) {
    const line = bytes.subarray(0, odd).reduce((count, byte) => (byte === newLine ? count + 1 : count), 1);
    throw new InvalidGmt(
      fileName,
      line,
      `this is not UTF-8 text; if the file is compressed, uncompress it first. In a GMT file ${format}.`,
    );
  }
}

function firstControl(bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte < space ? byte < tab || byte > carriageReturn : byte === 0x7f) return i;
    // The control characters above ASCII are C2 80 to C2 9F in UTF-8.
    if (byte === 0xc2 && bytes[i + 1]! < 0xa0) return i;
  }
  return -1;
}
