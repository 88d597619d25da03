import type { BarcodeMatch } from '@cellfolio/contract';
import { cutText, type PackedStrings, stringAt } from '@cellfolio/model';

/** Result of matching labels to cells, without the count of unlabelled cells. */
export type Matching = Omit<BarcodeMatch, 'unlabelled'>;

const maxExamples = 5;
const maxExampleLength = 80;
/** Suffix by which tools tell samples or channels apart. */
const suffix = /[-_]\d{1,4}$/;
const severalCells = -1;

/**
 * Finds cells by barcode: exact matches first, then matches that differ only in a suffix such as `-1`, provided that
 * neither two cells nor two given barcodes are equal without it.
 */
export class BarcodeMatcher {
  readonly #rows = new Map<string, number>();
  readonly #stems = new Map<string, number>();
  readonly #codes: Int32Array;
  readonly #left: { barcode: string; code: number }[] = [];
  readonly #counts = { given: 0, matched: 0, by_suffix: 0, ambiguous: 0, unknown: 0, repeated: 0 };
  readonly #examples: string[] = [];

  constructor(names: PackedStrings) {
    const cells = names.offsets.length - 1;
    for (let row = 0; row < cells; row++) {
      const barcode = stringAt(names, row);
      if (!this.#rows.has(barcode)) this.#rows.set(barcode, row);
      const stem = stemOf(barcode);
      this.#stems.set(stem, this.#stems.has(stem) ? severalCells : row);
    }
    this.#codes = new Int32Array(cells).fill(-1);
  }

  knows(barcode: string): boolean {
    return this.#rows.has(barcode) || this.#stems.has(stemOf(barcode));
  }

  add(barcode: string, code: number): void {
    this.#counts.given++;
    const row = this.#rows.get(barcode);
    if (row === undefined) this.#left.push({ barcode, code });
    else if (this.#put(row, code)) this.#counts.matched++;
  }

  /** The code of each of the n cells, or -1, and match counts for the barcodes. */
  finish(): { codes: Int32Array; match: Matching } {
    // A barcode that comes twice is one cell; several that are equal but for the ending are not.
    const barcodes = new Map<string, string | typeof severalCells>();
    for (const { barcode } of this.#left) {
      const stem = stemOf(barcode);
      const before = barcodes.get(stem) ?? barcode;
      barcodes.set(stem, before === barcode ? barcode : severalCells);
    }
    for (const { barcode, code } of this.#left) {
      const stem = stemOf(barcode);
      const row = this.#stems.get(stem);
      if (row === undefined) this.#miss('unknown', barcode);
      else if (row === severalCells || barcodes.get(stem) === severalCells) this.#miss('ambiguous', barcode);
      else if (this.#put(row, code)) {
        this.#counts.matched++;
        this.#counts.by_suffix++;
      }
    }
    return { codes: this.#codes, match: { ...this.#counts, examples: this.#examples } };
  }

  #put(row: number, code: number): boolean {
    if (this.#codes[row] === -1) {
      this.#codes[row] = code;
      return true;
    }
    this.#counts.repeated++;
    return false;
  }

  #miss(why: 'unknown' | 'ambiguous', barcode: string): void {
    this.#counts[why]++;
    if (this.#examples.length < maxExamples) this.#examples.push(cutText(barcode, maxExampleLength));
  }
}

function stemOf(barcode: string): string {
  return barcode.trim().replace(suffix, '');
}
