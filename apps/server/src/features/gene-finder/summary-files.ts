import { csvJson, type FigureFormat, type GeneSummary } from '@cellfolio/contract';
import {
  fileSizes,
  type GeneByDatasetInput,
  geneByDatasetFigure,
  renderPdf,
  renderPng,
  renderSvg,
  type TitleBlock,
} from '@cellfolio/figures';
import { software } from '../../runtime/software.ts';
import { type Task, taskKind } from '../../runtime/compute/task.ts';
import { toCsv } from '../../runtime/tables/result-csv.ts';

export interface DrawByDatasetTask extends Task<Uint8Array> {
  kind: 'draw-by-dataset';
  input: GeneByDatasetInput;
  /** `json`: the sizes of the figure's files. */
  format: FigureFormat | 'json';
  layout: TitleBlock & { widthMm?: number | undefined };
}

async function drawByDataset({ input, format, layout }: DrawByDatasetTask): Promise<Uint8Array> {
  const { widthMm, ...titleBlock } = layout;
  const figure = geneByDatasetFigure(input, titleBlock);
  if (format === 'pdf') return renderPdf(figure, widthMm);
  if (format === 'svg') return new TextEncoder().encode(await renderSvg(figure, undefined, widthMm));
  if (format === 'json') {
    return new TextEncoder().encode(JSON.stringify({ files: fileSizes(figure, widthMm) }));
  }
  return (await renderPng(figure, { resolution: format === 'png' ? 'screen' : 'print', widthMm })).png;
}

export const summaryFileTasks = [
  taskKind<DrawByDatasetTask>('draw-by-dataset', (task) => drawByDataset(task)),
];

export function summaryCsv({
  gene,
  datasets,
  columns,
  renamed,
  not_summarised,
  without_gene,
}: GeneSummary): string {
  const joined = columns.filter(({ spellings }) => spellings.length > 1);
  const definition = { software, call: 'gene-summary-file', parameters: { gene, format: 'csv' } };
  const notes = [
    `Definition: ${csvJson(definition)}`,
    'share_expressing: part of the cells with a value above zero; mean: of the log-normalized values over all cells of the type, zeros included',
    ...joined.map(
      ({ name, spellings }) =>
        `Cell types joined as ${JSON.stringify(name)}: ${spellings.map((one) => `${JSON.stringify(one.name)} (${one.datasets})`).join(', ')}`,
    ),
    ...renamed.map(
      ({ symbol, datasets: count }) =>
        `${JSON.stringify(gene)} is another name of ${JSON.stringify(symbol)} (${count})`,
    ),
    `Datasets without the gene: ${without_gene.length}; not summarized: ${not_summarised.length}`,
  ];
  return toCsv(
    {
      columns: [
        'dataset',
        'dataset_filename',
        'simulated',
        'gene',
        'cell_type',
        'joined_as',
        'n',
        'expressing',
        'share_expressing',
        'mean',
        'from',
      ],
      rows: datasets.flatMap((dataset) =>
        dataset.cell_types.map((type) => [
          dataset.name,
          dataset.dataset_filename,
          String(dataset.simulated),
          dataset.symbol,
          type.name,
          columns[type.column]!.name,
          type.cells,
          type.expressing,
          type.expressing / type.cells,
          type.mean ?? NaN,
          dataset.computed ? 'expression' : 'stored statistics',
        ]),
      ),
    },
    [],
    notes,
  );
}

/**
 * Figure input of a summary: a row for each dataset, a column for each joined cell type. The gene has the name used by
 * the datasets if they agree.
 */
export function geneByDataset({
  gene,
  datasets,
  columns,
}: Pick<GeneSummary, 'gene' | 'datasets' | 'columns'>): GeneByDatasetInput {
  const symbols = new Set(datasets.map(({ symbol }) => symbol));
  return {
    gene: symbols.size === 1 ? datasets[0]!.symbol : gene,
    cellTypes: columns.map(({ name }) => name),
    datasets: datasets.map(({ name, simulated, cell_types: cellTypes }) => {
      const types = new Map(cellTypes.map((type) => [type.column, type]));
      return {
        name: simulated ? `${name} (simulated)` : name,
        types: columns.map((_, place) => types.get(place)),
      };
    }),
  };
}
