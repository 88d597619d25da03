/** Values of a column that name no group of cells but say that a cell has none, in small letters. */
const unassigned = new Set(
  'nan|na|n/a|none|null|unknown|unassigned|unannotated|undefined|doublet|doublets|multiplet|ambiguous|low quality|low-quality|low_quality'.split(
    '|',
  ),
);

/** Whether a group is of cells that are of no group: `nan`, `Unknown`, `Doublet`. The whole name counts, in whatever case. */
export function isUnassigned(group: string): boolean {
  return unassigned.has(group.trim().toLowerCase());
}
