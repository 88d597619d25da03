import type { H5adError } from '../../h5ad-error.ts';
import type { RBytes } from './r-bytes.ts';
import { pairTypes, type } from './r-types.ts';
import type { RAttributes, RValue } from './r-value.ts';

export interface ItemReader {
  bytes: RBytes;
  item(): Promise<RValue>;
  attributes(flags: number): Promise<RAttributes>;
  length(): Promise<number>;
  pass(count: number): Promise<void>;
  characters(): Promise<string | null>;
  /** Registers a value that later parts may reference. */
  reference<T extends RValue>(value: T): T;
  nested(read: () => Promise<void>): Promise<void>;
  refused(problem: string): H5adError;
}

/** Reads parts that are not needed, to find their end. */
export async function readUnused(reader: ItemReader, kind: number, flags: number): Promise<RValue> {
  switch (kind) {
    case type.ENV: {
      const value = reader.reference({ type: 'other', what: 'an environment' } as const);
      await reader.bytes.nextInt32();
      for (let part = 0; part < 4; part++) await reader.item();
      return value;
    }
    case type.EXTPTR: {
      const value = reader.reference({ type: 'other', what: 'a pointer into memory' } as const);
      for (let part = 0; part < 2; part++) await reader.item();
      await reader.attributes(flags);
      return value;
    }
    case type.WEAKREF: {
      const value = reader.reference({ type: 'other', what: 'a weak reference' } as const);
      await reader.attributes(flags);
      return value;
    }
    case type.PERSIST:
    case type.PACKAGE:
    case type.NAMESPACE: {
      await reader.bytes.nextInt32();
      const length = await reader.length();
      for (let part = 0; part < length; part++) await reader.characters();
      return reader.reference({ type: 'other', what: 'a package' } as const);
    }
    case type.SPECIAL:
    case type.BUILTIN:
      await reader.pass(await reader.length());
      return { type: 'other', what: 'a function' };
    case type.CPLX:
    case type.RAW:
      await reader.pass((await reader.length()) * (kind === type.RAW ? 1 : 16));
      await reader.attributes(flags);
      return { type: 'other', what: kind === type.RAW ? 'bytes' : 'complex numbers' };
    case type.BCODE:
      await reader.bytes.nextInt32();
      await compiled(reader);
      await reader.attributes(flags);
      return { type: 'other', what: 'a function' };
    case type.BASEENV:
    case type.EMPTYENV:
    case type.BASENAMESPACE:
    case type.GLOBALENV:
    case type.MISSINGARG:
    case type.UNBOUND:
      return { type: 'other', what: 'an environment' };
    default:
      throw reader.refused(`holds something of type ${kind}, which is not known.`);
  }
}

async function compiled(reader: ItemReader): Promise<void> {
  await reader.item();
  const constants = await reader.length();
  for (let at = 0; at < constants; at++) {
    const kind = await reader.bytes.nextInt32();
    if (kind === type.BCODE) await reader.nested(() => compiled(reader));
    else await expression(reader, kind);
  }
}

async function expression(reader: ItemReader, kind: number): Promise<void> {
  let itemKind = kind;
  if (itemKind === type.BCREPREF) return void (await reader.bytes.nextInt32());
  if (itemKind === type.BCREPDEF) {
    await reader.bytes.nextInt32();
    itemKind = await reader.bytes.nextInt32();
  }
  if (!pairTypes.has(itemKind)) return void (await reader.item());
  if (itemKind === type.ATTRLANG || itemKind === type.ATTRLIST) await reader.item();
  await reader.item();
  for (let part = 0; part < 2; part++) {
    const next = await reader.bytes.nextInt32();
    await reader.nested(() => expression(reader, next));
  }
}
