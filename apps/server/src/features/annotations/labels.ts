import { type AnnotationChange, type GroupTerm, maxAnnotationGroups } from '@cellfolio/contract';
import { type CategoricalColumn, type CellMask, countText, listedNames } from '@cellfolio/model';
import { freeColour } from '@cellfolio/figures';
import { ApiFailure } from '../../runtime/api-failure.ts';

const maxNamesShown = 5;

interface LabelGroup {
  name: string;
  /** `#rrggbb`. */
  colour: string;
  /** Term of the Cell Ontology, or of another one where a column names one. */
  term?: GroupTerm | undefined;
}

/** Labels of all cells of a dataset: groups in their order, and for each cell its group or -1. */
export interface Labels {
  groups: readonly LabelGroup[];
  codes: Int8Array | Int16Array;
}

export interface ChangedLabels {
  labels: Labels;
  words: string;
  /** Number of cells whose group, group name or colour changed. */
  cells: number;
}

export type LookedUpChange =
  | Exclude<AnnotationChange, { change: 'label' | 'assign' }>
  | {
      change: 'label';
      mask: CellMask | undefined;
      of: string;
      within?: string | undefined;
      group: string | null;
      avoided: ReadonlySet<string>;
    }
  | {
      change: 'assign';
      column: Pick<CategoricalColumn, 'codes' | 'categories'>;
      title: string;
      groups: readonly { of: string; group: string; term?: GroupTerm | undefined }[];
      mask: CellMask | undefined;
      avoided: ReadonlySet<string>;
    };

/** Throws ApiFailure 400 when the group does not exist, 409 for the name of another group. */
export function changeLabels(labels: Labels, change: LookedUpChange): ChangedLabels {
  const { groups } = labels;
  switch (change.change) {
    case 'rename': {
      const code = codeOf(labels, change.group);
      refuseTaken(labels, change.name, [code]);
      return {
        labels: {
          ...labels,
          groups: replaced(groups, code, { ...groups[code]!, name: change.name }),
        },
        words: `Renamed ${quoted(change.group)} to ${quoted(change.name)}`,
        cells: cellsOf(labels, [code]),
      };
    }
    case 'colour': {
      const code = codeOf(labels, change.group);
      return {
        labels: { ...labels, groups: replaced(groups, code, { ...groups[code]!, colour: change.colour }) },
        words: `Colored ${quoted(change.group)} ${change.colour}`,
        cells: cellsOf(labels, [code]),
      };
    }
    case 'term': {
      const code = codeOf(labels, change.group);
      const { term: _, ...group } = groups[code]!;
      const { term } = change;
      return {
        labels: { ...labels, groups: replaced(groups, code, { ...group, ...(term && { term }) }) },
        words:
          term === null
            ? `Took the term of ${quoted(change.group)} away`
            : `Gave ${quoted(change.group)} the term ${term.label} (${term.id})`,
        cells: 0,
      };
    }
    case 'merge': {
      const codes = change.groups.map((group) => codeOf(labels, group));
      refuseTaken(labels, change.name, codes);
      // In the place and the colour of the one that keeps its name, else of the first.
      const first = Math.min(...codes);
      const keptCode = codes.find((code) => groups[code]!.name === change.name) ?? first;
      const merged = replaced(groups, first, { ...groups[keptCode]!, name: change.name });
      const removedCodes = new Set(codes.filter((code) => code !== first));
      const order = merged.map((_, code) => code).filter((code) => !removedCodes.has(code));
      const cells = cellsOf(labels, codes);
      return {
        labels: regrouped({ ...labels, groups: merged }, order, (code) =>
          removedCodes.has(code) ? first : code,
        ),
        words: `Merged ${listedNames(change.groups.map(quoted))} into ${quoted(change.name)}`,
        cells,
      };
    }
    case 'order': {
      const order = change.groups.map((group) => codeOf(labels, group));
      if (new Set(order).size !== groups.length || order.length !== groups.length) {
        throw refused('groups', `Name each of the ${groups.length} groups once, in their new order.`);
      }
      return { labels: regrouped(labels, order), words: 'Changed the order', cells: 0 };
    }
    case 'remove': {
      const code = codeOf(labels, change.group);
      const order = groups.map((_, other) => other).filter((other) => other !== code);
      return {
        labels: regrouped(labels, order),
        words: `Removed ${quoted(change.group)}`,
        cells: cellsOf(labels, [code]),
      };
    }
    case 'label':
      return labelled(labels, change);
    case 'assign':
      return assigned(labels, change);
  }
}

function labelled(
  labels: Labels,
  { mask, of, within, group, avoided }: Extract<LookedUpChange, { change: 'label' }>,
): ChangedLabels {
  const from = within === undefined ? undefined : codeOf(labels, within);
  const existingCode = group === null ? -1 : labels.groups.findIndex(({ name }) => name === group);
  const isNew = group !== null && existingCode < 0;
  const usedColours = new Set(labels.groups.map(({ colour }) => colour));
  const groups = isNew
    ? [...labels.groups, { name: group, colour: freeColour(group, usedColours, avoided) }]
    : labels.groups;
  const code = isNew ? labels.groups.length : existingCode;
  const codes = codesFor(groups.length, labels.codes.length);
  let cells = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    const before = labels.codes[cell]!;
    const isChanged =
      before !== code &&
      (mask === undefined || mask.bits[cell] === 1) &&
      (from === undefined || before === from);
    codes[cell] = isChanged ? code : before;
    if (isChanged) cells++;
  }
  const where = within === undefined ? of : `${of}, of ${quoted(within)} only`;
  const words = group === null ? `Removed labels (${where})` : `Labeled ${quoted(group)} (${where})`;
  return { labels: { groups, codes }, words, cells };
}

/** Throws ApiFailure 400 when the column does not have a group. */
function assigned(
  labels: Labels,
  { column, title, groups: assignments, mask, avoided }: Extract<LookedUpChange, { change: 'assign' }>,
): ChangedLabels {
  const groups = [...labels.groups];
  // One more in front, for cells without a group in the column.
  const codeFor = new Int32Array(column.categories.length + 1).fill(-1);
  for (const { of, group, term } of assignments) {
    const category = column.categories.indexOf(of);
    if (category < 0) throw refused('groups', `${quoted(title)} has no group ${quoted(of)}.`);
    let code = groups.findIndex(({ name }) => name === group);
    if (code < 0) {
      const usedColours = new Set(groups.map(({ colour }) => colour));
      code = groups.push({ name: group, colour: freeColour(group, usedColours, avoided) }) - 1;
    }
    if (term && !groups[code]!.term) groups[code] = { ...groups[code]!, term };
    codeFor[category + 1] = code;
  }
  const codes = codesFor(groups.length, labels.codes.length);
  let cells = 0;
  for (let cell = 0; cell < codes.length; cell++) {
    const before = labels.codes[cell]!;
    const code = mask === undefined || mask.bits[cell] === 1 ? codeFor[column.codes[cell]! + 1]! : -1;
    codes[cell] = code < 0 ? before : code;
    if (codes[cell] !== before) cells++;
  }
  const names = [...new Set(assignments.map(({ group }) => quoted(group)))];
  return {
    labels: { groups, codes },
    words: `Labeled ${listedNames(names, maxNamesShown)} by ${quoted(title)}`,
    cells,
  };
}

export function groupCounts({ groups, codes }: Labels): { counts: number[]; unlabelled: number } {
  const counts = new Uint32Array(groups.length + 1);
  for (let cell = 0; cell < codes.length; cell++) counts[codes[cell]! + 1]!++;
  return { counts: [...counts.subarray(1)], unlabelled: counts[0]! };
}

/** Codes, all 0, in memory that threads share. Throws ApiFailure 422 for too many groups. */
export function codesFor(
  groups: number,
  cells: number,
): Int8Array<SharedArrayBuffer> | Int16Array<SharedArrayBuffer> {
  if (groups > maxAnnotationGroups) {
    throw new ApiFailure(
      422,
      'too_many_groups',
      `An annotation has at most ${maxAnnotationGroups} groups; these are ${countText(groups)}.`,
    );
  }
  return groups <= 127
    ? new Int8Array(new SharedArrayBuffer(cells))
    : new Int16Array(new SharedArrayBuffer(2 * cells));
}

/**
 * `order` holds the codes of the remaining groups in their new order; `to` maps the code of a removed group to its
 * replacement. Cells of a removed group are unlabelled unless the replacement remains.
 */
function regrouped(
  { groups, codes }: Labels,
  order: readonly number[],
  to: (code: number) => number = (code) => code,
): Labels {
  const places = new Int16Array(groups.length + 1).fill(-1);
  order.forEach((code, place) => {
    places[code + 1] = place;
  });
  const map = places.map((_, at) => (at === 0 ? -1 : places[to(at - 1) + 1]!));
  const moved = codesFor(order.length, codes.length);
  for (let cell = 0; cell < codes.length; cell++) moved[cell] = map[codes[cell]! + 1]!;
  return { groups: order.map((code) => groups[code]!), codes: moved };
}

function cellsOf({ groups, codes }: Labels, of: readonly number[]): number {
  // One more in front for -1, so that the loop has no branch.
  const isWanted = new Uint8Array(groups.length + 1);
  for (const code of of) isWanted[code + 1] = 1;
  let cells = 0;
  for (let cell = 0; cell < codes.length; cell++) cells += isWanted[codes[cell]! + 1]!;
  return cells;
}

function replaced(groups: readonly LabelGroup[], code: number, group: LabelGroup): LabelGroup[] {
  return groups.map((other, place) => (place === code ? group : other));
}

function codeOf({ groups }: Labels, name: string): number {
  const code = groups.findIndex((group) => group.name === name);
  if (code < 0) throw refused('group', `The annotation has no group ${quoted(name)}.`);
  return code;
}

function refuseTaken({ groups }: Labels, name: string, except: readonly number[]): void {
  const isTaken = groups.some((group, code) => group.name === name && !except.includes(code));
  if (!isTaken) return;
  throw new ApiFailure(
    409,
    'group_exists',
    `The annotation already has a group ${quoted(name)}. Merge the two, or choose another name.`,
  );
}

function refused(field: string, message: string): ApiFailure {
  return new ApiFailure(400, 'group_not_found', message, {
    details: [{ field: `change.${field}`, problem: message }],
  });
}

export function quoted(name: string): string {
  return `“${name}”`;
}
