import { assetsUnsKey, countText, cutText } from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';
import { typeName } from '../hdf5/element-type.ts';
import type { Hdf5File, TypedNumbers } from '../hdf5/hdf5-file.ts';
import { ArrayValues, int32Values, type ValuePiece } from './array-values.ts';
import {
  type CarriedArray,
  type CarriedAttributes,
  type CarriedContent,
  type CarriedElement,
  type CarriedGroup,
  type CarriedNode,
  encodingOf,
  jointParts,
  modalities,
  skippedAttribute,
} from './carried-content.ts';
import { NotCarried, storedType } from './stored-type.ts';

export interface CarriedWish {
  /** Paths of elements that the dataset holds itself. */
  held: ReadonlySet<string>;
  /** Paths where the dataset holds something else. */
  displaced: ReadonlySet<string>;
  cellCount: number;
  geneCount: number;
  /** Rows of the file that are the dataset's; absent if all are. */
  cells?: Int32Array | undefined;
  genes?: Int32Array | undefined;
  /** The genes of the dataset are not those of `var`. */
  otherGenes: boolean;
  maxBytes: number;
  /** Further elements as they are, such as the other modalities of MuData, by their place in `file` and their name. */
  beside?: { file: Hdf5File; elements: readonly { at: string; path: string }[] };
}

export interface CarriedPlan {
  content: Omit<CarriedContent, 'leftOut' | 'added'>;
  /** Values of the mappings and of each element, in order of their places, without gaps. */
  parts: readonly { path?: string; pieces: readonly ValuePiece[] }[];
  leftOut: readonly LeftOut[];
}

export interface LeftOut {
  path: string;
  bytes?: number;
  reason: string;
}

/** Remainders of the limits of a file. */
interface Budget {
  nodes: number;
  description: number;
}

const maxDepth = 12;
/** Objects that are looked at, also those of elements that are left out. */
const maxNodes = 20_000;
/** Names, types and attributes of all elements, which are in memory and in one JSON. */
const maxDescriptionBytes = 2 ** 24;
const maxLeftOut = 1000;
const maxPathLength = 200;

/** All elements of an AnnData file that the dataset does not hold itself. Reads their texts, and no other values. */
export function planCarried(file: Hdf5File, wish: CarriedWish): CarriedPlan {
  const elements: CarriedElement[] = [];
  const leftOut: LeftOut[] = [];
  const parts: CarriedPlan['parts'][number][] = [];
  const budget = { nodes: maxNodes, description: maxDescriptionBytes };
  let bytes = 0;
  const rows = (some: Int32Array | undefined) => {
    if (some === undefined) return undefined;
    parts.push({ pieces: [int32Values(some)] });
    bytes += some.byteLength;
    return { at: bytes - some.byteLength, count: some.length };
  };
  const [cells, genes] = [rows(wish.cells), rows(wish.genes)];
  const { beside } = wish;
  const places = [
    ...elementPaths(file, wish).map((path) => ({ path, at: path, of: file })),
    ...(beside ? beside.elements.map(({ path, at }) => ({ path, at, of: beside.file })) : []),
  ];
  for (const { path, at, of } of places) {
    const walk = new ElementWalk(of, bytes, budget);
    try {
      const node = walk.node(at, 0);
      const size = walk.end - bytes;
      if (walk.end > wish.maxBytes) {
        leftOut.push({ path, bytes: size, reason: 'it is larger than the room for it' });
        continue;
      }
      elements.push({ path, bytes: size, ...placeOf(path, wish), node });
      parts.push({ path, pieces: walk.pieces });
      bytes = walk.end;
      budget.description -= walk.description;
    } catch (error) {
      if (error instanceof NotCarried) leftOut.push({ path, reason: error.message });
      else if (error instanceof H5adError) leftOut.push({ path, reason: error.problem.replace(/\.$/, '') });
      else throw error;
    }
  }
  const { cellCount, geneCount } = wish;
  const content = { bytes, cellCount, geneCount, ...(cells && { cells }), ...(genes && { genes }), elements };
  return { content, parts, leftOut: bounded(leftOut) };
}

export function leftOutText({ path, bytes, reason }: LeftOut): string {
  return `${cutText(path, maxPathLength)} (${bytes === undefined ? '' : `${countText(bytes)} bytes: `}${reason})`;
}

/** Paths of a file may have any length and number. */
function bounded(leftOut: readonly LeftOut[]): LeftOut[] {
  const shown = leftOut.slice(0, maxLeftOut);
  const rest = leftOut.length - shown.length;
  return rest === 0
    ? shown
    : [...shown, { path: `${countText(rest)} more`, reason: 'the file has too many parts' }];
}

const groups = ['obsm', 'varm', 'obsp', 'varp', 'layers', 'uns', 'raw'] as const;
const others = ['X', 'raw.X', 'raw.var', 'raw.varm'] as const;

function elementPaths(file: Hdf5File, { held, otherGenes }: CarriedWish): string[] {
  const members = groups
    .filter((group) => !held.has(group) && kindOf(file, group) === 'group')
    .flatMap((group) => file.children(group).map((name) => `${group}/${name}`));
  const single = [...(otherGenes ? ['var'] : []), ...others].filter(
    (path) => kindOf(file, path) !== undefined && file.text(path, 'encoding-type') !== 'null',
  );
  const old = oldLabels(file);
  return [...members, ...single].filter(
    (path) => !held.has(path) && path !== assets && !old.has(path) && !isNothing(file, path),
  );
}

/** Its files are assets of the dataset. */
const assets = `uns/${assetsUnsKey}`;

function isNothing(file: Hdf5File, path: string): boolean {
  return path === 'raw/varm' && file.children(path).length === 0;
}

/** Labels of categories, where the tables are records of anndata before 0.7: they are in the columns. */
function oldLabels(file: Hdf5File): Set<string> {
  const labels = new Set<string>();
  for (const table of ['obs', 'var']) {
    if (kindOf(file, table) !== 'dataset') continue;
    const { type } = file.dataset(table);
    for (const { name } of type.kind === 'compound' ? type.members : []) labels.add(`uns/${name}_categories`);
  }
  return labels;
}

function kindOf(file: Hdf5File, path: string): 'group' | 'dataset' | undefined {
  try {
    return file.kind(path);
  } catch (error) {
    if (error instanceof H5adError) return undefined;
    throw error;
  }
}

function placeOf(
  path: string,
  { otherGenes, displaced, held }: CarriedWish,
): Pick<CarriedElement, 'axes' | 'foreign'> {
  const genes = otherGenes ? null : 'genes';
  const foreign = otherGenes ? { foreign: true as const } : {};
  switch (path.split('/')[0]) {
    case 'obsm':
      return { axes: ['cells'], ...(displaced.has(path) && { foreign: true }) };
    case 'obsp':
      return { axes: ['cells', 'cells'] };
    case 'varm':
      return { axes: [genes], ...foreign };
    case 'varp':
      return { axes: [genes, genes], ...foreign };
    case 'layers':
      return { axes: ['cells', genes], ...foreign };
    // The dataset has another matrix in this place.
    case 'X':
      return { axes: ['cells', genes], foreign: true };
    case 'var':
    case 'raw.var':
    case 'raw.varm':
      return { axes: [], foreign: true };
    case 'raw.X':
      return { axes: ['cells'], foreign: true };
    case modalities:
    case jointParts:
      return { axes: [], foreign: true };
    case 'raw':
      return {
        axes: path === 'raw/X' ? ['cells'] : [],
        ...(held.has('raw/X') && { foreign: true }),
      };
    default:
      return { axes: [], ...(displaced.has(path) && { foreign: true }) };
  }
}

/** One element: its description, and where its values come from. */
class ElementWalk {
  readonly pieces: ValuePiece[] = [];
  readonly #file: Hdf5File;
  readonly #budget: Budget;
  /** Characters of the description. */
  description = 0;
  end: number;

  constructor(file: Hdf5File, start: number, budget: Budget) {
    this.#file = file;
    this.end = start;
    this.#budget = budget;
  }

  node(path: string, depth: number): CarriedNode {
    if (depth > maxDepth) throw new NotCarried(`it lies deeper than ${maxDepth} groups`);
    if (--this.#budget.nodes < 0) throw new NotCarried('the file has too many parts');
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name === '.' || name === '') throw new NotCarried('it has a name that no path can have');
    this.#describe(name);
    const kind = this.#file.kind(path);
    if (kind === 'dataset') return this.#array(path);
    if (kind === undefined) throw new NotCarried('it leads nowhere');
    const group = { attributes: this.#attributes(path), members: [] };
    const skipped = group.attributes[skippedAttribute];
    if (typeof skipped === 'string') throw new NotCarried(`${skipped.replace(/\.$/, '')} cannot be copied`);
    const names = this.#file.children(path);
    if (encodingOf(group) === 'dataframe' && names.includes('__categories'))
      return this.#oldFrame(path, group, names, depth);
    return {
      ...group,
      members: names.map((name) => [name, this.node(`${path}/${name}`, depth + 1)] as const),
    };
  }

  /** Frames of anndata 0.7: a reference leads from codes to their categories, which no new file can have. */
  #oldFrame(path: string, frame: CarriedGroup, names: readonly string[], depth: number): CarriedGroup {
    const categories = new Set(this.#file.children(`${path}/__categories`));
    const members = names
      .filter((name) => name !== '__categories')
      .map((name): readonly [string, CarriedNode] => {
        const node = this.node(`${path}/${name}`, depth + 1);
        if (!categories.has(name)) return [name, node];
        const labels = this.node(`${path}/__categories/${name}`, depth + 2);
        const { ordered } = labels.attributes;
        return [
          name,
          {
            attributes: {
              'encoding-type': 'categorical',
              'encoding-version': '0.2.0',
              ordered: ordered ?? { type: 'bool', shape: [], base64: 'AA==' },
            },
            members: [
              ['codes', node],
              ['categories', { ...labels, attributes: {} }],
            ],
          },
        ];
      });
    return { ...frame, members };
  }

  #array(path: string): CarriedArray {
    const attributes = this.#attributes(path);
    if (attributes['encoding-type'] === 'null') return { attributes, type: 'float32', at: this.end };
    const info = this.#file.dataset(path);
    if (info.shape.every((length) => length > 0)) this.#file.assertWritten(info);
    const { type, slots } = storedType(info.type);
    this.#describe(type);
    const at = this.end;
    const array: CarriedArray = { attributes, type, shape: info.shape, at };
    const values = new ArrayValues(this.#file, info, type);
    if (type !== 'string') this.#take(values.piece());
    if (slots.length === 0) return array;
    const texts = values.textPiece(slots.map(({ from }) => from));
    const place = { at: this.end, count: texts.count, slots: slots.map(({ to }) => to) };
    this.#take(texts);
    return { ...array, texts: place };
  }

  #attributes(path: string): CarriedAttributes {
    const attributes = attributesOf(this.#file, path);
    this.#describe(attributes);
    return attributes;
  }

  #describe(part: unknown): void {
    this.description += JSON.stringify(part).length;
    if (this.description > this.#budget.description)
      throw new NotCarried('the names and attributes of the file are too long');
  }

  #take(piece: ValuePiece): void {
    this.pieces.push(piece);
    this.end += piece.bytes;
  }
}

function attributesOf(file: Hdf5File, path: string): CarriedAttributes {
  return Object.fromEntries(
    [...file.attributes(path)].map(([name, value]) => [
      name,
      typeof value === 'string' || Array.isArray(value) ? value : numbersOf(value as TypedNumbers),
    ]),
  );
}

function numbersOf({ type, shape, bytes }: TypedNumbers): CarriedAttributes[string] {
  const { type: stored } = storedType(type);
  if (typeof stored !== 'string') throw new NotCarried(`an attribute is of type ${typeName(type)}`);
  return { type: stored, ...(shape && { shape }), base64: Buffer.from(bytes).toString('base64') };
}
