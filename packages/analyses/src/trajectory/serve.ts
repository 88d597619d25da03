import { axisOrder } from '@cellfolio/analysis';
import { countText, expressionUnit, minPValue, plural, valueCautions } from '@cellfolio/model';
import { geneMeans, sharedOrder } from '../axis/gene-means.ts';
import type { GeneAlong } from '../axis/fields.ts';
import { type Pseudotime, pseudotime } from '../axis/pseudotime.ts';
import type { Context } from '../context.ts';
import { serve } from '../serve.ts';
import type { steps } from './compute.ts';
import { trajectory, type TrajectoryRequest, type TrajectoryResult } from './declare.ts';

type Services = Context<typeof steps>;

const binCount = 30;
/** Default number of genes in the curves of each direction. */
const curvesOfDirection = 3;

export const analysis = serve(trajectory, {
  async run(sent, context: Services) {
    const request = { ...sent, groupby: await context.groupColumn(sent.groupby, 'groupby') };
    const { genes, ...ofOrder } = request;
    const named = await context.namedGenes(genes ?? [], 'genes', 'the curves');
    const { ordered, order, tested, heatmap } = await context.shared('trajectory', ofOrder, (joined) =>
      testGenes(ofOrder, joined),
    );
    const curves = genes
      ? await geneMeans({ rows: named.rows, order, rho: tested.rho }, context)
      : defaultCurves(heatmap);
    const result = resultOf(request, ordered, { tested, title: context.titleOf(request.groupby) });
    const { roles, expression } = context.dataset;
    return {
      request,
      result,
      table: tested.table,
      cells: { column: request.groupby, values: ordered.pseudotime },
      cautions: [
        ...valueCautions(context.dataset, 'slopes are of the values as they are'),
        {
          code: 'order-tested-on-own-data' as const,
          numbers: { tested: tested.tested, cells: ordered.reached },
        },
        ...atBound(tested.zeroPs),
        ...ordered.cautions,
        ...named.cautions,
      ],
      ...(roles.embedding === undefined && { kind: 'pseudotime-heatmap' }),
      drawing: {
        pseudotime: ordered.pseudotime,
        root: ordered.root,
        cells: { analysed: ordered.analysed, reached: ordered.reached },
        groupTitle: result.group_title,
        groups: ordered.groups.map(({ name }) => name),
        graph: ordered.graph,
        bins: { sizes: order.sizes, places: order.places },
        heatmap,
        curves,
        unit: expressionUnit(expression),
      },
    };
  },
  facts({ request, result: { root, cells, groups, group_title: title, neighbors, connectivities } }) {
    const group = root.group === '' ? '' : ` (${root.group})`;
    return [
      {
        code: 'root',
        title: 'Root',
        message: `${root.barcode}${group} · ${countText(cells.reached)} of ${countText(cells.analysed)} cells ordered · ${countText(groups.length)} groups of ${title}`,
      },
      { code: 'root-choice', title: 'Root', message: root.how },
      {
        code: 'graph',
        title: 'Graph',
        message: `${neighbors}; ${plural(cells.parts, 'connected part', 'parts')}`,
      },
      {
        code: 'order',
        title: 'Order',
        message: `diffusion pseudotime as in scanpy, ${request.n_dcs} components; 0 is the root, 1 the farthest cell`,
      },
      ...(connectivities.length === 0
        ? [{ code: 'connectivities', title: 'Connectivities', message: 'no two groups are connected' }]
        : []),
    ];
  },
});

function atBound(zeros: number) {
  return zeros > 0
    ? [{ code: 'p-values-at-bound' as const, numbers: { genes: zeros, bound: minPValue } }]
    : [];
}

/** The parts of a result that do not depend on the genes of the curves. */
async function testGenes(request: Omit<TrajectoryRequest, 'genes'>, context: Services) {
  const ordered = await pseudotime(request, context);
  const order = sharedOrder(axisOrder(ordered.pseudotime, binCount));
  const inputs = (await context.geneBlocks(false)).map(({ from, to }) => ({ from, to, order }));
  const blocks = await context.computeAll('test', inputs, 'Testing the genes');
  const { cellCount, places } = order;
  const tested = await context.compute('rank', { blocks, order: { cellCount, places } });
  const heatmap = await geneMeans({ rows: tested.most, order, rho: tested.rho }, context);
  return { ordered, order, tested, heatmap };
}

function defaultCurves(heatmap: readonly GeneAlong[]): GeneAlong[] {
  const first = (direction: number) =>
    heatmap.filter(({ rho }) => rho * direction > 0).slice(0, curvesOfDirection);
  return [...first(1), ...first(-1)];
}

function resultOf(
  request: TrajectoryRequest,
  ordered: Pseudotime,
  { tested, title }: { readonly tested: TrajectoryResult['genes']; readonly title: string },
): TrajectoryResult {
  const { root, analysed, reached, without, parts } = ordered;
  return {
    group_title: title,
    root: {
      barcode: root.barcode,
      group: root.group,
      how: rootChoiceText(request),
      tip_share: root.tipShare,
    },
    neighbors: ordered.neighbours,
    cells: { analysed, reached, without_components: without, parts },
    eigenvalues: [...ordered.eigenvalues],
    groups: ordered.groups.map(({ name, cells, reached: ofGroup, quartiles }) => {
      const [first = null, median = null, third = null] = quartiles.map((time) =>
        Number.isNaN(time) ? null : time,
      );
      return {
        name,
        cells,
        reached: ofGroup,
        first_quartile: first,
        median,
        third_quartile: third,
      };
    }),
    connectivities: connectivitiesOf(ordered),
    genes: { tested: tested.tested, rising: tested.rising, falling: tested.falling },
  };
}

function rootChoiceText({ root }: Pick<TrajectoryRequest, 'root'>): string {
  if (root.by === 'cell') return 'the cell that was chosen';
  const tip = 'farthest from the mean of all in the diffusion components';
  return root.by === 'group'
    ? `the tip of the group ${root.group}, its cell ${tip}`
    : `the tip that was suggested, the cell ${tip}`;
}

function connectivitiesOf({ graph, groups }: Pseudotime): TrajectoryResult['connectivities'] {
  const inTree = new Set(graph.tree.map(([i, j]) => `${Math.min(i, j)} ${Math.max(i, j)}`));
  const connectivities = groups.flatMap(({ name }, i) =>
    groups.slice(i + 1).map((other, at) => {
      const j = i + 1 + at;
      return {
        groups: [name, other.name] as [string, string],
        connectivity: graph.connectivities[i * groups.length + j]!,
        in_tree: inTree.has(`${i} ${j}`),
      };
    }),
  );
  return connectivities
    .filter(({ connectivity }) => connectivity > 0)
    .toSorted((one, other) => other.connectivity - one.connectivity);
}
