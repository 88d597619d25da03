import { nodeBytes, type UnsValue } from '@cellfolio/ingest/parts-of-h5ad';
import { listedNames } from '@cellfolio/model';
import type { ReturnedElements } from './carried-pieces.ts';

/** Record in `uns['cellfolio']` of the elements of the dataset's file. */
export function returnedRecord({ elements, leftOut, notStored }: ReturnedElements): {
  [key: string]: UnsValue;
} {
  return {
    returned: elements.map(({ from, path }) => (from === path ? path : `${from} as ${path}`)),
    not_returned: [...leftOut.map(({ path, reason }) => `${path}: ${reason}`), ...notStored],
  };
}

export function returnedBytes({ elements }: ReturnedElements): number {
  return elements.reduce((sum, { node }) => sum + nodeBytes(node), 0);
}

/** Names of returned elements by their groups, such as `obsp`. */
export function returnedNames({ elements }: ReturnedElements): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { path } of elements) {
    const [group = '', ...rest] = path.split('/');
    names.set(group, [...(names.get(group) ?? []), rest.join('/')]);
  }
  return names;
}

/** Sentences about what an export does not return. */
export function notReturned({ isStored, leftOut, notStored }: ReturnedElements): string[] {
  if (!isStored)
    return [
      'Parts of the uploaded file that are not used here, such as loadings, are not stored with this dataset.',
    ];
  return [
    ...(leftOut.length > 0
      ? [
          `Not cut to these cells: ${listedNames(
            leftOut.map(({ path, reason }) => `${path} (${reason})`),
            12,
            200,
          )}.`,
        ]
      : []),
    ...(notStored.length > 0 ? [`Not kept at the import: ${listedNames(notStored, 12, 300)}.`] : []),
  ];
}
