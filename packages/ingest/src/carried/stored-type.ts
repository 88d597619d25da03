import { type ElementType, typeName } from '../hdf5/element-type.ts';
import { type MemberType, packedRecord, type StoredType } from '../write-h5ad/h5-messages.ts';

/** An element that cannot be written back as it is; the message says why. */
export class NotCarried extends Error {
  override readonly name = 'NotCarried';
}

interface Slot {
  /** Place of a text of any length in an element in memory. */
  from: number;
  /** Its place in a stored element. */
  to: number;
}

/** Type in which elements are written back, and where in them texts of any length are. Throws NotCarried. */
export function storedType(type: ElementType): { type: StoredType; slots: readonly Slot[] } {
  if (type.kind !== 'compound') {
    const stored = memberType(type);
    return { type: stored, slots: stored === 'string' ? [{ from: 0, to: 0 }] : [] };
  }
  const record = packedRecord(type.members.map(({ name, type: own }) => ({ name, type: memberType(own) })));
  if (record.members.length === 0) throw new NotCarried('its records have no fields');
  const slots = record.members.flatMap(({ type: stored, offset }, at) =>
    stored === 'string' ? [{ from: type.members[at]!.offset, to: offset }] : [],
  );
  return { type: record, slots };
}

function memberType(type: ElementType): MemberType {
  switch (type.kind) {
    case 'number':
      if (!type.littleEndian && type.size > 1) break;
      return type.dtype;
    case 'boolean':
      return 'bool';
    case 'string':
      return type.variable ? 'string' : { text: type.size };
  }
  throw new NotCarried(`its values are of a type that cannot be written back (${typeName(type)})`);
}
