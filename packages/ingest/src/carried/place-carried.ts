import type { H5Node } from '../write-h5ad/lay-out-file.ts';
import type { ReadBytes } from './carried-bytes.ts';
import {
  type CarriedContent,
  type CarriedNode,
  displacedKey,
  encodingOf,
  isCarriedArray,
  jointParts,
  modalities,
} from './carried-content.ts';
import { type Carried, CarriedNodes, NotCut, sizeOf } from './carried-nodes.ts';

export interface PlacedElement {
  /** In the export. */
  path: string;
  /** In the file that it came from. */
  from: string;
  node: H5Node<Carried>;
}

interface ExportedParts {
  /** Chosen cells of the dataset; all by default. */
  cells: Int32Array | undefined;
  /** Paths that the export writes itself, in whose place nothing is returned. */
  taken: ReadonlySet<string>;
  /** Such paths in whose place nothing is returned elsewhere either. */
  superseded: ReadonlySet<string>;
  /** Colours of categories, some of which may have gone with cells at the import. */
  colours: ReadonlySet<string>;
}

export interface PlacedElements {
  elements: readonly PlacedElement[];
  leftOut: readonly { path: string; reason: string }[];
}

/** Elements of the file in their places in an export, cut to its cells and genes. */
export async function placeCarried(
  content: CarriedContent,
  { cells, taken, superseded, colours }: ExportedParts,
  read: ReadBytes,
): Promise<PlacedElements> {
  const nodes = new CarriedNodes(read);
  const chosen = {
    cells: await chosenRows(content.cells, cells, read),
    genes: await chosenRows(content.genes, undefined, read),
  };
  const sizes = { cells: content.cellCount, genes: content.geneCount };
  const displaced = freeKey(content);
  const hasRaw = content.elements.some(({ path }) => path === 'raw/X');
  const elements: PlacedElement[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  for (const { path, axes, foreign, node } of content.elements) {
    if (superseded.has(path) || (content.cells && colours.has(path))) continue;
    try {
      if (cells && (path.startsWith(`${modalities}/`) || path.startsWith(`${jointParts}/obsp/`)))
        throw new NotCut('it has cells of its own');
      const isUns = path.startsWith('uns/') || path.startsWith(`${jointParts}/uns/`);
      if (chosen.cells && isUns && speaksOfCells(node, content)) throw new NotCut('it speaks of all cells');
      const size = sizeOf(node);
      const fits = axes.every((axis, at) => !axis || !size || size[at] === sizes[axis]);
      if (!fits && axes.some((axis) => axis && chosen[axis]))
        throw new NotCut('it has other rows or columns');
      const isOwn = !foreign && fits && !taken.has(path) && (hasRaw || !path.startsWith('raw/'));
      const choice = axes.map((axis) => (axis ? chosen[axis] : undefined));
      elements.push({
        path: isOwn ? path : `uns/${displaced}/${path}`,
        from: path,
        node: await nodes.node(axes[0] && isOwn ? withPlainIndex(node) : node, choice),
      });
    } catch (error) {
      if (!(error instanceof NotCut)) throw error;
      leftOut.push({ path, reason: error.message });
    }
  }
  return { elements, leftOut };
}

/** An earlier export of ours may have one. */
function freeKey({ elements }: CarriedContent): string {
  const usedPaths = new Set(elements.map(({ path }) => path));
  let key: string = displacedKey;
  for (let number = 2; usedPaths.has(`uns/${key}`); number++) key = `${displacedKey}_${number}`;
  return key;
}

/** anndata compares names of rows with those of the table, which an export writes as plain text. */
function withPlainIndex(node: CarriedNode): CarriedNode {
  if (isCarriedArray(node) || encodingOf(node) !== 'dataframe') return node;
  const { _index: index } = node.attributes;
  const members = node.members.map(([name, member]): readonly [string, CarriedNode] => {
    if (name !== index || isCarriedArray(member) || encodingOf(member) !== 'nullable-string-array')
      return [name, member];
    return [name, member.members.find(([part]) => part === 'values')?.[1] ?? member];
  });
  return { ...node, members };
}

async function chosenRows(
  rows: CarriedContent['cells'],
  chosen: Int32Array | undefined,
  read: ReadBytes,
): Promise<Int32Array | undefined> {
  if (rows === undefined) return chosen;
  const bytes = await read(rows.at, rows.at + rows.count * Int32Array.BYTES_PER_ELEMENT);
  const all = new Int32Array(bytes.slice().buffer);
  return chosen ? chosen.map((row) => all[row]!) : all;
}

/** Whether an array has as many rows or columns as there are cells, or is a linkage of them. */
function speaksOfCells(node: CarriedNode, content: CarriedContent): boolean {
  const { cellCount } = content;
  if (!isCarriedArray(node))
    return (
      sizeOf(node)?.includes(cellCount) === true ||
      node.members.some(([, member]) => speaksOfCells(member, content))
    );
  const { shape = [] } = node;
  return shape.includes(cellCount) || (shape[0] === cellCount - 1 && shape[1] === 4);
}
