/** Content of an R file, as far as cells need it. Missing (NA) integers and logicals are `naInteger`. */
export type RValue =
  | { type: 'null' }
  | { type: 'numbers'; numbers: RNumbers; attributes: RAttributes }
  | {
      type: 'strings';
      strings: readonly (string | null)[];
      attributes: RAttributes;
    }
  /** Lists, and pairs by their tags: the tag of what has none is an empty string. */
  | {
      type: 'list';
      items: readonly RValue[];
      tags?: readonly string[];
      attributes: RAttributes;
    }
  /** An object of a class with slots, which are its attributes. */
  | { type: 'slots'; attributes: RAttributes }
  | { type: 'symbol'; name: string }
  /** Functions, environments and the like, in R's word for them; and what was passed over. */
  | { type: 'other'; what: string };

export type RAttributes = ReadonlyMap<string, RValue>;

export interface RNumbers {
  kind: 'integer' | 'logical' | 'double';
  length: number;
  read(start: number, count: number): Promise<Int32Array | Float64Array>;
}

/** R's NA of integers, logicals and factor codes. */
export const naInteger = -0x8000_0000;

const none: RAttributes = new Map();
export const nothing: RValue = { type: 'null' };

export function attributesOf(value: RValue | undefined): RAttributes {
  return value !== undefined && 'attributes' in value ? value.attributes : none;
}

export function slot(value: RValue | undefined, name: string): RValue | undefined {
  return attributesOf(value).get(name);
}

export function stringsOf(value: RValue | undefined): readonly (string | null)[] | undefined {
  return value?.type === 'strings' ? value.strings : undefined;
}

export function itemsOf(value: RValue | undefined): readonly RValue[] {
  return value?.type === 'list' ? value.items : [];
}

export function namesOf(value: RValue | undefined): readonly string[] {
  return (stringsOf(slot(value, 'names')) ?? []).map((name) => name ?? '');
}

export function item(value: RValue | undefined, name: string): RValue | undefined {
  const at = namesOf(value).indexOf(name);
  return at < 0 ? undefined : itemsOf(value)[at];
}

/** Most specific class first. */
export function classesOf(value: RValue | undefined): readonly string[] {
  return (stringsOf(slot(value, 'class')) ?? []).map((name) => name ?? '');
}

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
