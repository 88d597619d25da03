import { isAscii, isUtf8 } from 'node:buffer';
import { countText, cutText } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import { textOfWindows } from '../../text-encoding.ts';
import { type NumberSpill, sequence } from './number-spill.ts';
import { EndOfR, type RBytes } from './r-bytes.ts';
import { type ItemReader, readUnused } from './read-unused.ts';
import { hasAttributes, hasTag, latin1, pairTypes, type, utf8 } from './r-types.ts';
import { itemsOf, nothing, type RAttributes, type RNumbers, type RValue } from './r-value.ts';

/** Maximum nesting; objects of cells nest some twenty deep. */
const maxDepth = 200;
/** Maximum number of objects that are not strings; an object of cells has about a thousand. */
const maxObjects = 2_000_000;
/** Maximum number of strings; a million cells are named some ten times. */
const maxStrings = 50_000_000;
/** Maximum characters of all texts, including cell names. */
const maxText = 1_000_000_000;

/**
 * Reads the object of an .rds file, front to back. Numbers go to `spill`; content below a tag of `passedOver` is
 * discarded. `recoded` lists the locations of text that is neither UTF-8 nor marked as Latin-1, which is read as
 * Windows-1252. Throws H5adError with the location in the object; TextFileError; the signal's reason.
 */
export async function readRObject(
  bytes: RBytes,
  spill: NumberSpill,
  passedOver: ReadonlySet<string>,
): Promise<{ root: RValue; recoded: ReadonlySet<string> }> {
  const reader = new RObjectReader(bytes, spill, passedOver);
  try {
    return { root: await reader.file(), recoded: reader.recoded };
  } catch (cause) {
    if (cause instanceof EndOfR) throw reader.refused('the file ends within it.', 'Save or upload it again.');
    throw cause;
  } finally {
    await bytes.close();
  }
}

class RObjectReader implements ItemReader {
  readonly bytes: RBytes;
  readonly recoded = new Set<string>();
  readonly #spill: NumberSpill;
  readonly #passedOver: ReadonlySet<string>;
  /** Symbols and environments, which later parts reference by number. */
  readonly #references: RValue[] = [];
  readonly #place: string[] = [];
  #depth = 0;
  #objects = 0;
  #text = 0;
  #texts = 0;
  /** For the last text: whether its encoding is unmarked; and whether it was read as Windows-1252. */
  #unmarked = false;
  #isWindows = false;
  #skipDepth = 0;

  constructor(bytes: RBytes, spill: NumberSpill, passedOver: ReadonlySet<string>) {
    this.bytes = bytes;
    this.#spill = spill;
    this.#passedOver = passedOver;
  }

  refused(problem: string, hint = 'Save the object again in R with saveRDS().'): H5adError {
    const part = this.#place.join('$');
    return new H5adError({ code: 'unreadable', path: this.bytes.path, part, problem, hint });
  }

  async file(): Promise<RValue> {
    await this.bytes.fill(14);
    if (this.bytes.take(2).toString('latin1') !== 'X\n')
      throw this.refused('is no file of saveRDS().', 'Save it again in R: saveRDS(x, "file.rds").');
    const version = this.bytes.int32();
    this.bytes.take(8);
    if (version === 3) await this.pass(await this.length());
    else if (version !== 2)
      throw this.refused(`has version ${version} of R’s format.`, 'Save it with saveRDS(…, version = 3).');
    return this.item();
  }

  async item(): Promise<RValue> {
    return this.#of(await this.bytes.nextInt32());
  }

  async #of(flags: number): Promise<RValue> {
    this.#countObject();
    if (++this.#depth > maxDepth) throw this.refused(`is nested more than ${maxDepth} deep.`);
    try {
      return await this.#read(flags);
    } finally {
      this.#depth--;
    }
  }

  async #read(flags: number): Promise<RValue> {
    const kind = flags & 0xff;
    if (pairTypes.has(kind)) return this.#pairs(flags);
    switch (kind) {
      case type.NIL:
      case type.NILVALUE:
        return nothing;
      case type.SYM:
        return this.reference({ type: 'symbol', name: (await this.characters()) ?? '' });
      case type.REF:
        return this.#referred(flags >>> 8 || (await this.bytes.nextInt32()));
      case type.LGL:
        return this.#numbers('logical', flags);
      case type.INT:
        return this.#numbers('integer', flags);
      case type.REAL:
        return this.#numbers('double', flags);
      case type.STR:
        return this.#strings(flags);
      case type.VEC:
      case type.EXPR:
        return this.#list(flags);
      case type.S4:
        return { type: 'slots', attributes: await this.attributes(flags) };
      case type.ALTREP:
        return this.#compact();
      default:
        return readUnused(this, kind, flags);
    }
  }

  #countObject(): void {
    if (++this.#objects > maxObjects) throw this.refused(`holds more than ${countText(maxObjects)} objects.`);
  }

  #countTexts(count: number): void {
    this.#texts += count;
    if (this.#texts > maxStrings) throw this.#tooMuchText();
  }

  #tooMuchText(): H5adError {
    return this.refused(
      `holds more than ${countText(maxStrings)} texts or ${countText(maxText)} characters of them.`,
      'Save only the counts, the metadata and the reductions.',
    );
  }

  reference<T extends RValue>(value: T): T {
    this.#references.push(value);
    return value;
  }

  #referred(number: number): RValue {
    const value = this.#references[number - 1];
    if (value === undefined) throw this.refused(`refers to part ${number}, which has not come.`);
    return value;
  }

  async length(): Promise<number> {
    const short = await this.bytes.nextInt32();
    if (short >= 0) return short;
    const length = (await this.bytes.nextInt32()) * 2 ** 32 + ((await this.bytes.nextInt32()) >>> 0);
    if (short !== -1 || length < 0 || !Number.isSafeInteger(length))
      throw this.refused('has a vector of an impossible length.');
    return length;
  }

  async pass(count: number): Promise<void> {
    for await (const _ of this.bytes.pieces(count));
  }

  async #numbers(kind: RNumbers['kind'], flags: number): Promise<RValue> {
    const length = await this.length();
    const size = length * (kind === 'double' ? 8 : 4);
    const isKept = this.#skipDepth === 0;
    if (!isKept) await this.pass(size);
    const numbers = isKept ? await this.#spill.keep(kind, length, this.bytes.pieces(size)) : undefined;
    const attributes = await this.attributes(flags);
    return numbers ? { type: 'numbers', numbers, attributes } : passed;
  }

  async #strings(flags: number): Promise<RValue> {
    const length = await this.length();
    const strings: (string | null)[] = [];
    const unmarked: number[] = [];
    let isWindows = false;
    for (let at = 0; at < length; at++) {
      const text = await this.characters();
      if (this.#skipDepth > 0) continue;
      strings.push(text);
      isWindows ||= this.#isWindows;
      if (this.#unmarked && !this.#isWindows) unmarked.push(at);
    }
    // A vector is read in one encoding, so that texts that differ stay different.
    if (isWindows) for (const at of unmarked) strings[at] = textOfWindows(Buffer.from(strings[at]!));
    return { type: 'strings', strings, attributes: await this.attributes(flags) };
  }

  async characters(): Promise<string | null> {
    const bytes = this.bytes;
    if (!bytes.has(8)) await bytes.fill(8);
    const flags = bytes.int32();
    if ((flags & 0xff) !== type.CHAR) throw this.refused('holds something else where a text is expected.');
    const length = bytes.int32();
    this.#countTexts(1);
    this.#unmarked = this.#isWindows = false;
    if (length === -1) return null;
    this.#text += length;
    if (length < 0 || this.#text > maxText) throw this.#tooMuchText();
    if (!bytes.has(length)) await bytes.fill(length);
    const text = this.#decoded(bytes.take(length), flags);
    if ((flags & hasAttributes) !== 0) await this.item();
    return text;
  }

  #decoded(bytes: Buffer, flags: number): string {
    if (isAscii(bytes)) return bytes.toString('latin1');
    if ((flags & latin1) !== 0) return textOfWindows(bytes);
    this.#unmarked = (flags & utf8) === 0;
    if (isUtf8(bytes)) return bytes.toString('utf8');
    this.#isWindows = true;
    if (this.#skipDepth === 0) this.recoded.add(this.#place.join('$'));
    return textOfWindows(bytes);
  }

  async #list(flags: number): Promise<RValue> {
    const length = await this.length();
    const items: RValue[] = [];
    for (let at = 0; at < length; at++) {
      const value = await this.item();
      if (this.#skipDepth === 0) items.push(value);
    }
    return { type: 'list', items, attributes: await this.attributes(flags) };
  }

  async attributes(flags: number): Promise<RAttributes> {
    const attributes = new Map<string, RValue>();
    if ((flags & hasAttributes) === 0) return attributes;
    const pairs = await this.item();
    if (pairs.type !== 'list') throw this.refused('has attributes that are no list.');
    pairs.items.forEach((value, at) => attributes.set(pairs.tags?.[at] ?? '', value));
    return attributes;
  }

  /** Reads linked pairs up to their end. */
  async #pairs(first: number): Promise<RValue> {
    const items: RValue[] = [];
    const tags: string[] = [];
    let attributes: RAttributes = new Map();
    let flags = first;
    for (; pairTypes.has(flags & 0xff); flags = await this.bytes.nextInt32()) {
      this.#countObject();
      const kind = flags & 0xff;
      const described = (flags & hasAttributes) !== 0 || kind === type.ATTRLIST || kind === type.ATTRLANG;
      if (described) attributes = await this.attributes(hasAttributes);
      const tag = (flags & hasTag) === 0 ? nothing : await this.item();
      const name = tag.type === 'symbol' ? tag.name : '';
      const value = await this.#named(name);
      if (this.#skipDepth > 0) continue;
      tags.push(name);
      items.push(value);
    }
    await this.#of(flags);
    return { type: 'list', items, tags, attributes };
  }

  async #compact(): Promise<RValue> {
    const [description, state] = [await this.item(), await this.item()];
    const pairs = await this.item();
    if (this.#skipDepth > 0) return passed;
    const attributes = new Map(
      itemsOf(pairs).map((value, at) => [(pairs.type === 'list' && pairs.tags?.[at]) || '', value]),
    );
    const form = itemsOf(description)[0];
    const name = form?.type === 'symbol' ? form.name : '';
    const count = (texts: number) => this.#countTexts(texts);
    const value = await plainVector(name, state, { attributes, count });
    if (value === undefined)
      throw this.refused(`holds a vector in the form “${cutText(name, 80)}”, which cannot be read.`);
    return value;
  }

  async nested(read: () => Promise<void>): Promise<void> {
    if (++this.#depth > 10 * maxDepth) throw this.refused(`is nested more than ${10 * maxDepth} deep.`);
    await read();
    this.#depth--;
  }

  async #named(name: string): Promise<RValue> {
    const passes = this.#passedOver.has(name);
    if (passes) this.#skipDepth++;
    this.#place.push(name);
    const value = await this.item();
    this.#place.pop();
    if (!passes) return value;
    this.#skipDepth--;
    return passed;
  }
}

const passed: RValue = { type: 'other', what: 'what was passed over' };

/**
 * A vector that R stored in a compact form (ALTREP of "R Internals"): by a rule, or within another object. `count`
 * receives the number of texts created. Undefined for an unknown or invalid form.
 */
async function plainVector(
  form: string,
  state: RValue,
  { attributes, count }: { attributes: RAttributes; count: (texts: number) => void },
): Promise<RValue | undefined> {
  if (form === 'compact_intseq' || form === 'compact_realseq') {
    const kind = form === 'compact_intseq' ? 'integer' : 'double';
    const numbers = state.type === 'numbers' ? await sequenceOf(kind, state.numbers) : undefined;
    return numbers && { type: 'numbers', numbers, attributes };
  }
  const inner = state.type === 'list' ? state.items[0] : undefined;
  if (inner !== undefined && form.startsWith('wrap_'))
    return attributes.size > 0 && 'attributes' in inner ? { ...inner, attributes } : inner;
  if (inner?.type !== 'numbers' || form !== 'deferred_string') return undefined;
  count(inner.numbers.length);
  return { type: 'strings', strings: await written(inner.numbers), attributes };
}

async function sequenceOf(kind: 'integer' | 'double', rule: RNumbers): Promise<RNumbers | undefined> {
  if (rule.length < 3) return undefined;
  const [length, first, step] = (await rule.read(0, 3)) as unknown as [number, number, number];
  return length >= 0 && length < 2 ** 40 ? sequence(kind, { length, first, step }) : undefined;
}

/** Numbers as as.character() writes them: with fifteen digits. */
async function written(numbers: RNumbers): Promise<string[]> {
  const digits = numbers.kind === 'double' ? 15 : 10;
  const values = await numbers.read(0, numbers.length);
  return Array.from(values, (value) => String(Number(value.toPrecision(digits))));
}
