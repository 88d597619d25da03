/**
 * What a column of obs, or a field of the metadata, is called wherever somebody reads it: 'cell_state' is 'Cell State'.
 * Files and calls keep the name as the data has it.
 */
export function columnTitle(name: string): string {
  const title = name
    .split(/[_\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  return title === '' ? name : title;
}

/** What cells are grouped by where it plays a part, whatever the column is called. */
export const partTitles = { cellType: 'Cell type', cluster: 'Cluster' } as const;

/** The metadata field by which a subset keeps clusters of a dataset that has no field of that name. */
export const clusterField = 'Cluster';
