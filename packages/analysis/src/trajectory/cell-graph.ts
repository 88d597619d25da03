/** Undirected edges between cells, each listed once, with positive weights. */
interface WeightedEdges {
  from: ArrayLike<number>;
  to: ArrayLike<number>;
  weights: ArrayLike<number>;
}

/** A symmetric sparse matrix by rows: cell i has the neighbours [starts[i], starts[i + 1]). */
export interface CellGraph {
  readonly cellCount: number;
  readonly starts: Int32Array;
  readonly neighbours: Int32Array;
  readonly weights: Float64Array;
}

export function cellGraph({ from, to, weights }: WeightedEdges, cellCount: number): CellGraph {
  const starts = new Int32Array(cellCount + 1);
  for (let edge = 0; edge < from.length; edge++) {
    starts[from[edge]! + 1]!++;
    starts[to[edge]! + 1]!++;
  }
  for (let cell = 0; cell < cellCount; cell++) starts[cell + 1]! += starts[cell]!;
  const next = starts.slice(0, cellCount);
  const neighbours = new Int32Array(2 * from.length);
  const values = new Float64Array(2 * from.length);
  const add = (cell: number, other: number, weight: number) => {
    const at = next[cell]!++;
    neighbours[at] = other;
    values[at] = weight;
  };
  for (let edge = 0; edge < from.length; edge++) {
    add(from[edge]!, to[edge]!, weights[edge]!);
    add(to[edge]!, from[edge]!, weights[edge]!);
  }
  return { cellCount, starts, neighbours, weights: values };
}

export interface GraphParts {
  /** Connected part of each cell: 0 is the largest; ties by first cell. */
  readonly partOf: Int32Array;
  /** Cells of each part, descending. */
  readonly sizes: Int32Array;
}

export function graphParts({ cellCount, starts, neighbours }: CellGraph): GraphParts {
  const partOfCell = new Int32Array(cellCount).fill(-1);
  const sizes: number[] = [];
  const stack = new Int32Array(cellCount);
  for (let seed = 0; seed < cellCount; seed++) {
    if (partOfCell[seed]! >= 0) continue;
    const part = sizes.length;
    let size = 1;
    let depth = 1;
    stack[0] = seed;
    partOfCell[seed] = part;
    while (depth > 0) {
      const cell = stack[--depth]!;
      for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
        const other = neighbours[at]!;
        if (partOfCell[other]! >= 0) continue;
        partOfCell[other] = part;
        size++;
        stack[depth++] = other;
      }
    }
    sizes.push(size);
  }
  const order = sizes
    .map((_, part) => part)
    .toSorted((one, other) => sizes[other]! - sizes[one]! || one - other);
  const rank = new Int32Array(sizes.length);
  order.forEach((part, place) => (rank[part] = place));
  return {
    partOf: partOfCell.map((part) => rank[part]!),
    sizes: Int32Array.from(order, (part) => sizes[part]!),
  };
}

/** The cells of one connected part as a separate graph, with their original numbers. */
export function graphOfPart(
  graph: CellGraph,
  { partOf }: GraphParts,
  part: number,
): { graph: CellGraph; cells: Int32Array } {
  const cells = Int32Array.from(partOf.keys()).filter((cell) => partOf[cell] === part);
  const place = new Int32Array(graph.cellCount);
  cells.forEach((cell, at) => (place[cell] = at));
  const starts = new Int32Array(cells.length + 1);
  cells.forEach((cell, at) => (starts[at + 1] = starts[at]! + graph.starts[cell + 1]! - graph.starts[cell]!));
  const neighbours = new Int32Array(starts[cells.length]!);
  const weights = new Float64Array(neighbours.length);
  cells.forEach((cell, at) => {
    const [start, end] = [graph.starts[cell]!, graph.starts[cell + 1]!];
    for (let edge = start; edge < end; edge++) {
      neighbours[starts[at]! + edge - start] = place[graph.neighbours[edge]!]!;
    }
    weights.set(graph.weights.subarray(start, end), starts[at]!);
  });
  return { graph: { cellCount: cells.length, starts, neighbours, weights }, cells };
}
