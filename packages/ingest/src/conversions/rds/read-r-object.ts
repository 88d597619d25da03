import { countText } from '@cellfolio/model';
import { H5adError } from '../../h5ad-error.ts';
import { type NumberSpill, sequence } from './number-spill.ts';
import { EndOfR, type RBytes } from './r-bytes.ts';
import { hasAttributes, hasTag, latin1, pairTypes, type } from './r-types.ts';
import { classesOf, itemsOf, nothing, type RAttributes, type RNumbers, type RValue } from './r-value.ts';

/** Objects of cells nest some twenty deep. */
const maxDepth = 200;
/** An object of cells has some thousand parts that are no strings. */
const maxObjects = 2_000_000;
/** A million cells are named some ten times. */
const maxStrings = 50_000_000;
/** Characters of all texts, names of cells among them. */
const maxText = 1_000_000_000;

/**
 * Reads the object of an .rds file, front to back. Numbers go to `spill`; of what is below a tag of `passedOver` nothing
 * is kept. Throws H5adError by the place in the object; TextFileError; the signal's reason.
 */
export async function readRObject(
  bytes: RBytes,
  spill: NumberSpill,
  passedOver: ReadonlySet<string>,
): Promise<RValue> {
  const reader = new RObjectReader(bytes, spill, passedOver);
  try {
    return await reader.file();
  } catch (cause) {
    if (cause instanceof EndOfR) throw reader.refused('the file ends within it.', 'Save or upload it again.');
    throw cause;
  } finally {
    await bytes.close();
  }
}

class RObjectReader {
  readonly #bytes: RBytes;
  readonly #spill: NumberSpill;
  readonly #passedOver: ReadonlySet<string>;
  /** Symbols and environments, which later parts refer to by their number. */
  readonly #references: RValue[] = [];
  readonly #place: string[] = [];
  #depth = 0;
  #objects = 0;
  #text = 0;
  #texts = 0;
  /** Above zero within what is passed over. */
  #passing = 0;

  constructor(bytes: RBytes, spill: NumberSpill, passedOver: ReadonlySet<string>) {
    this.#bytes = bytes;
    this.#spill = spill;
    this.#passedOver = passedOver;
  }

  refused(problem: string, hint = 'Save the object again in R with saveRDS().'): H5adError {
    const part = this.#place.join('$');
    return new H5adError({ code: 'unreadable', path: this.#bytes.path, part, problem, hint });
  }

  async file(): Promise<RValue> {
    await this.#bytes.fill(14);
    if (this.#bytes.take(2).toString('latin1') !== 'X\n')
      throw this.refused('is no file of saveRDS().', 'Save it again in R: saveRDS(x, "file.rds").');
    const version = this.#bytes.int32();
    this.#bytes.take(8);
    if (version === 3) await this.#pass(await this.#length());
    else if (version !== 2)
      throw this.refused(`has version ${version} of R’s format.`, 'Save it with saveRDS(…, version = 3).');
    return this.#item();
  }

  async #item(): Promise<RValue> {
    return this.#of(await this.#bytes.nextInt32());
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
        return this.#reference({ type: 'symbol', name: (await this.#characters()) ?? '' });
      case type.REF:
        return this.#referred(flags >>> 8 || (await this.#bytes.nextInt32()));
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
        return { type: 'slots', attributes: await this.#attributes(flags) };
      case type.ALTREP:
        return this.#compact();
      default:
        return this.#other(kind, flags);
    }
  }

  #countObject(): void {
    if (++this.#objects > maxObjects) throw this.refused(`holds more than ${countText(maxObjects)} objects.`);
  }

  #tooMuchText(): H5adError {
    return this.refused(
      `holds more than ${countText(maxStrings)} texts or ${countText(maxText)} characters of them.`,
      'Save only the counts, the metadata and the reductions.',
    );
  }

  #reference<T extends RValue>(value: T): T {
    this.#references.push(value);
    return value;
  }

  #referred(number: number): RValue {
    const value = this.#references[number - 1];
    if (value === undefined) throw this.refused(`refers to part ${number}, which has not come.`);
    return value;
  }

  /** The length of a vector. */
  async #length(): Promise<number> {
    const short = await this.#bytes.nextInt32();
    if (short >= 0) return short;
    const length = (await this.#bytes.nextInt32()) * 2 ** 32 + ((await this.#bytes.nextInt32()) >>> 0);
    if (short !== -1 || length < 0 || !Number.isSafeInteger(length))
      throw this.refused('has a vector of an impossible length.');
    return length;
  }

  async #pass(count: number): Promise<void> {
    for await (const _ of this.#bytes.pieces(count));
  }

  async #numbers(kind: RNumbers['kind'], flags: number): Promise<RValue> {
    const length = await this.#length();
    const size = length * (kind === 'double' ? 8 : 4);
    const kept = this.#passing === 0;
    if (!kept) await this.#pass(size);
    const numbers = kept ? await this.#spill.keep(kind, length, this.#bytes.pieces(size)) : undefined;
    const attributes = await this.#attributes(flags);
    return numbers ? { type: 'numbers', numbers, attributes } : passed;
  }

  async #strings(flags: number): Promise<RValue> {
    const length = await this.#length();
    const strings: (string | null)[] = [];
    for (let at = 0; at < length; at++) {
      const text = await this.#characters();
      if (this.#passing === 0) strings.push(text);
    }
    return { type: 'strings', strings, attributes: await this.#attributes(flags) };
  }

  /** One string; null where it is missing. */
  async #characters(): Promise<string | null> {
    const bytes = this.#bytes;
    if (!bytes.has(8)) await bytes.fill(8);
    const flags = bytes.int32();
    if ((flags & 0xff) !== type.CHAR) throw this.refused('holds something else where a text is expected.');
    const length = bytes.int32();
    if (++this.#texts > maxStrings) throw this.#tooMuchText();
    if (length === -1) return null;
    this.#text += length;
    if (length < 0 || this.#text > maxText) throw this.#tooMuchText();
    if (!bytes.has(length)) await bytes.fill(length);
    const text = bytes.take(length).toString((flags & latin1) === 0 ? 'utf8' : 'latin1');
    if ((flags & hasAttributes) !== 0) await this.#item();
    return text;
  }

  async #list(flags: number): Promise<RValue> {
    const length = await this.#length();
    const items: RValue[] = [];
    for (let at = 0; at < length; at++) {
      const value = await this.#item();
      if (this.#passing === 0) items.push(value);
    }
    return { type: 'list', items, attributes: await this.#attributes(flags) };
  }

  async #attributes(flags: number): Promise<RAttributes> {
    const attributes = new Map<string, RValue>();
    if ((flags & hasAttributes) === 0) return attributes;
    const pairs = await this.#item();
    if (pairs.type !== 'list') throw this.refused('has attributes that are no list.');
    pairs.items.forEach((value, at) => attributes.set(pairs.tags?.[at] ?? '', value));
    return attributes;
  }

  /** Pairs, one behind the other, up to what ends them. */
  async #pairs(first: number): Promise<RValue> {
    const items: RValue[] = [];
    const tags: string[] = [];
    let attributes: RAttributes = new Map();
    let flags = first;
    for (; pairTypes.has(flags & 0xff); flags = await this.#bytes.nextInt32()) {
      this.#countObject();
      const kind = flags & 0xff;
      const described = (flags & hasAttributes) !== 0 || kind === type.ATTRLIST || kind === type.ATTRLANG;
      if (described) attributes = await this.#attributes(hasAttributes);
      const tag = (flags & hasTag) === 0 ? nothing : await this.#item();
      const name = tag.type === 'symbol' ? tag.name : '';
      const value = await this.#named(name);
      if (this.#passing > 0) continue;
      tags.push(name);
      items.push(value);
    }
    await this.#of(flags);
    return { type: 'list', items, tags, attributes };
  }

  async #named(name: string): Promise<RValue> {
    const passes = this.#passedOver.has(name);
    if (passes) this.#passing++;
    this.#place.push(name);
    const value = await this.#item();
    this.#place.pop();
    if (!passes) return value;
    this.#passing--;
    return passed;
  }

  /** A vector that R kept in a shorter form: by a rule, or within another object. */
  async #compact(): Promise<RValue> {
    const [description, state] = [await this.#item(), await this.#item()];
    const pairs = await this.#item();
    if (this.#passing > 0) return passed;
    const form = itemsOf(description)[0];
    const name = form?.type === 'symbol' ? form.name : '';
    const attributes = new Map(
      itemsOf(pairs).map((value, at) => [(pairs.type === 'list' && pairs.tags?.[at]) || '', value]),
    );
    if (name === 'compact_intseq' || name === 'compact_realseq') {
      const [length, first, step] = state.type === 'numbers' ? [...(await state.numbers.read(0, 3))] : [];
      if (
        length === undefined ||
        !(length >= 0 && length < 2 ** 40) ||
        first === undefined ||
        step === undefined
      )
        throw this.refused('has a sequence that makes no sense.');
      const kind = name === 'compact_intseq' ? 'integer' : 'double';
      return { type: 'numbers', numbers: sequence(kind, { length, first, step }), attributes };
    }
    const inner = itemsOf(state)[0];
    if (inner !== undefined && name.startsWith('wrap_'))
      return attributes.size > 0 && 'attributes' in inner ? { ...inner, attributes } : inner;
    if (inner?.type === 'numbers' && name === 'deferred_string')
      return { type: 'strings', strings: await this.#written(inner.numbers), attributes };
    throw this.refused(`holds a vector in the form “${name}”, which is not known.`);
  }

  /** Numbers as as.character() writes them: with fifteen digits. */
  async #written(numbers: RNumbers): Promise<string[]> {
    this.#texts += numbers.length;
    if (this.#texts > maxStrings) throw this.#tooMuchText();
    const digits = numbers.kind === 'double' ? 15 : 10;
    const values = await numbers.read(0, numbers.length);
    return Array.from(values, (value) => String(Number(value.toPrecision(digits))));
  }

  /** What cells have no use for, which must be read nevertheless to find its end. */
  async #other(kind: number, flags: number): Promise<RValue> {
    switch (kind) {
      case type.ENV: {
        const value = this.#reference({ type: 'other', what: 'an environment' } as const);
        await this.#bytes.nextInt32();
        for (let part = 0; part < 4; part++) await this.#item();
        return value;
      }
      case type.EXTPTR: {
        const value = this.#reference({ type: 'other', what: 'a pointer into memory' } as const);
        for (let part = 0; part < 2; part++) await this.#item();
        await this.#attributes(flags);
        return value;
      }
      case type.WEAKREF: {
        const value = this.#reference({ type: 'other', what: 'a weak reference' } as const);
        await this.#attributes(flags);
        return value;
      }
      case type.PERSIST:
      case type.PACKAGE:
      case type.NAMESPACE: {
        await this.#bytes.nextInt32();
        const length = await this.#length();
        for (let part = 0; part < length; part++) await this.#characters();
        return this.#reference({ type: 'other', what: 'a package' } as const);
      }
      case type.SPECIAL:
      case type.BUILTIN:
        await this.#pass(await this.#length());
        return { type: 'other', what: 'a function' };
      case type.CPLX:
      case type.RAW:
        await this.#pass((await this.#length()) * (kind === type.RAW ? 1 : 16));
        await this.#attributes(flags);
        return { type: 'other', what: kind === type.RAW ? 'bytes' : 'complex numbers' };
      case type.BCODE:
        await this.#bytes.nextInt32();
        await this.#compiled();
        await this.#attributes(flags);
        return { type: 'other', what: 'a function' };
      case type.BASEENV:
      case type.EMPTYENV:
      case type.BASENAMESPACE:
      case type.GLOBALENV:
      case type.MISSINGARG:
      case type.UNBOUND:
        return { type: 'other', what: 'an environment' };
      default:
        throw this.refused(`holds something of type ${kind}, which is not known.`);
    }
  }

  /** The instructions of a compiled function and its constants. */
  async #compiled(): Promise<void> {
    await this.#item();
    const constants = await this.#length();
    for (let at = 0; at < constants; at++) {
      const kind = await this.#bytes.nextInt32();
      if (kind === type.BCODE) await this.#nested(() => this.#compiled());
      else await this.#expression(kind);
    }
  }

  /** An expression that a compiled function came from. */
  async #expression(kind: number): Promise<void> {
    let found = kind;
    if (found === type.BCREPREF) return void (await this.#bytes.nextInt32());
    if (found === type.BCREPDEF) {
      await this.#bytes.nextInt32();
      found = await this.#bytes.nextInt32();
    }
    if (!pairTypes.has(found)) return void (await this.#item());
    if (found === type.ATTRLANG || found === type.ATTRLIST) await this.#item();
    await this.#item();
    for (let part = 0; part < 2; part++) {
      const next = await this.#bytes.nextInt32();
      await this.#nested(() => this.#expression(next));
    }
  }

  async #nested(read: () => Promise<void>): Promise<void> {
    if (++this.#depth > 10 * maxDepth) throw this.refused(`is nested more than ${10 * maxDepth} deep.`);
    await read();
    this.#depth--;
  }
}

const passed: RValue = { type: 'other', what: 'what was passed over' };

/** What an object is, for messages: its class, or its type. */
export function described(value: RValue): string {
  const [first] = classesOf(value);
  if (first !== undefined) return `a “${first}”`;
  const words = {
    null: 'nothing',
    numbers: 'a vector of numbers',
    strings: 'a vector of text',
    list: 'a list',
  };
  if (value.type === 'other') return value.what;
  return words[value.type as keyof typeof words] ?? 'an object without a class';
}
