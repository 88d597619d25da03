import type { Column } from '@cellfolio/model';
import { decodeNumbers, StringPacker, type Elements } from '../hdf5/decode-elements.ts';
import type { CompoundMember, DatasetInfo } from '../hdf5/element-type.ts';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { numberColumn } from './read-column.ts';

const sliceRows = 16_384;

/** One field of a compound dataset as a column; undefined for an unsupported type. */
export function readMember(file: Hdf5File, info: DatasetInfo, member: CompoundMember): Column | undefined {
  const rows = info.shape[0]!;
  const { type, offset } = member;
  const eachSlice = (use: (elements: Elements, row: number, memory: Uint8Array) => void) => {
    for (let row = 0; row < rows; row += sliceRows) {
      file.read(info, { start: [row], count: [Math.min(sliceRows, rows - row)] }, (elements, memory) =>
        use({ ...elements, offset: elements.offset + offset }, row, memory),
      );
    }
  };
  if (type.kind === 'string') {
    const packer = new StringPacker(rows);
    eachSlice((elements, _, memory) => packer.add(elements, type, memory));
    return { kind: 'string', strings: file.inUtf8(`${info.path}/${member.name}`, packer.strings()) };
  }
  if (type.kind === 'number') return numberColumn(type, rows, eachSlice);
  if (type.kind !== 'boolean') return undefined;
  const values = new Uint8Array(rows);
  eachSlice((elements, row) => decodeNumbers(elements, type, values, row));
  return { kind: 'boolean', values };
}
