import {
  type CoExpressionAnswer,
  type CoExpressionRequest,
  coExpressionAnswer,
  coExpressionRequest,
  type DatasetAnalysis,
  type FigureContent,
} from '@cellfolio/contract';
import { Waypoints } from 'lucide-react';
import {
  defineAnalysis,
  type NothingFound,
  figureOf,
  ChoiceField,
  ComponentsNote,
  NumberFields,
  FigureChoice,
  type FigurePanelProps,
  type OfferedFigure,
  ResultFacts,
} from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { graphText, GraphField } from '@/features/trajectory/index.ts';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import {
  coExpressionDefaults,
  type CoExpressionForm,
  coExpressionRequestOf,
  isComplete,
  coExpressionNumbers,
  modelChoices,
} from './co-expression-form.ts';
import { coExpressionFollowUps } from './follow-ups.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const hubsNamed = 8;

function CoExpressionFacts({ answer }: { answer: CoExpressionAnswer }) {
  const { modules, genes, cells, parameters, threshold, shuffled } = answer;
  const inModules = modules.reduce((sum, module) => sum + module.genes.length, 0);
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">{plural(modules.length, 'module')}</span> of{' '}
          {plural(inModules, 'gene')} · {formatCount(genes.passing)} of {plural(genes.tested, 'gene')} with
          local autocorrelation · {plural(cells.analysed, 'cell')}
        </>
      }
    >
      <dt>Modules</dt>
      <dd>{modules.length === 0 ? 'none' : <ModuleTable answer={answer} />}</dd>
      <dt>Values</dt>
      <dd>{answer.model}</dd>
      <dt>Neighbourhoods</dt>
      <dd>{answer.neighbors}</dd>
      <dt>Genes</dt>
      <dd>
        local autocorrelation as in Hotspot, adjusted p &lt; {parameters.fdr}; pairs of the{' '}
        {formatCount(genes.paired)} with the highest Z, at most {formatCount(parameters.max_genes)}
      </dd>
      {shuffled !== null && (
        <>
          <dt>Null</dt>
          <dd>
            p-values allow for the skewness of Z under the null; of {plural(shuffled.genes, 'gene')} with
            values shuffled over the cells {shuffled.shuffles} times, p &lt; 0.05 in {percent(shuffled.below)}{' '}
            ({percent(shuffled.below_as_normal)} if Z is assumed normal, as in Hotspot); Z has a standard
            deviation of {shuffled.deviation.toFixed(2)}
          </dd>
        </>
      )}
      <dt>Cut</dt>
      <dd>
        average linkage down to a local correlation of Z {threshold.toFixed(2)}; at least{' '}
        {parameters.min_module_genes} genes a module, cores only
      </dd>
    </ResultFacts>
  );
}

function ModuleTable({ answer: { modules, samples } }: { answer: CoExpressionAnswer }) {
  const share = (value: number | null) => (value === null ? '–' : `${(100 * value).toFixed(0)} %`);
  return (
    <Table aria-label="Modules">
      <TableHeader>
        <TableRow>
          <TableHead>Module</TableHead>
          <TableHead className="text-right">Genes</TableHead>
          <TableHead>Hub genes</TableHead>
          <TableHead className="text-right">Correlation with depth</TableHead>
          {samples !== null && <TableHead className="text-right">Between samples</TableHead>}
          <TableHead className="text-right">Mitochondrial</TableHead>
          <TableHead className="text-right">Ribosomal</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {modules.map((module) => (
          <TableRow key={module.name}>
            <TableCell>{module.name}</TableCell>
            <TableCell className="text-right">{formatCount(module.genes.length)}</TableCell>
            <TableCell className="italic">{module.genes.slice(0, hubsNamed).join(', ')}</TableCell>
            <TableCell className="text-right">
              {module.depth_correlation === null
                ? '–'
                : module.depth_correlation.toFixed(2).replace('-', '−')}
            </TableCell>
            {samples !== null && <TableCell className="text-right">{share(module.samples_share)}</TableCell>}
            <TableCell className="text-right">{share(module.mitochondrial_share)}</TableCell>
            <TableCell className="text-right">{share(module.ribosomal_share)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function CoExpressionPanel({ answer, group }: FigurePanelProps<CoExpressionAnswer>) {
  const { source, modules } = answer;
  const of = `, ${plural(modules.length, 'module')}`;
  const sourceOf = (content: object) => ({ ...source, content: content as FigureContent });
  const maps = modules.map(({ name, genes }): OfferedFigure => ({
    id: name,
    label: `${name} on the map`,
    word: 'map of the score',
    file: `${name.toLowerCase().replaceAll(' ', '_')}_map`,
    source: sourceOf({ kind: 'score-umap', of: 'signature', score_name: name, genes }),
    of: `, score of ${genes.length} genes`,
  }));
  const whole: OfferedFigure[] = [
    {
      id: 'module-heatmap',
      label: 'Heatmap of the modules',
      word: 'heatmap',
      file: 'module_heatmap',
      source,
      of,
    },
    {
      id: 'gene-network',
      label: 'Network of genes',
      word: 'network',
      file: 'gene_network',
      source: sourceOf({ ...source.content, kind: 'gene-network' }),
      of,
    },
  ];
  // The module that the table shows first.
  const first = maps.filter(({ id }) => id === group);
  const others = maps.filter(({ id }) => id !== group);
  return <FigureChoice key={group} figures={[...first, ...whole, ...others]} />;
}

interface CoExpressionFieldsProps {
  analysis: DatasetAnalysis;
  form: CoExpressionForm;
  onChange: (change: Partial<CoExpressionForm>) => void;
}

function CoExpressionFields({ analysis, form, onChange }: CoExpressionFieldsProps) {
  return (
    <>
      <ComponentsNote analysis={analysis} what="the graph of cells" />
      <ChoiceField
        label="Values"
        choices={modelChoices}
        value={modelChoices.find(({ value }) => value === form.model)?.value ?? 'auto'}
        onChange={(model) => onChange({ model })}
      />
      <GraphField graph={form.graph} onChange={(graph) => onChange({ graph })} />
      <NumberFields numbers={coExpressionNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        Genes with similar expression in neighbouring cells are correlated over neighbourhoods and grouped
        into modules (Hotspot). Up to 200,000 active cells.
      </p>
    </>
  );
}

export const coExpressionAnalysis = defineAnalysis<CoExpressionForm, CoExpressionRequest, CoExpressionAnswer>(
  {
    id: 'co-expression',
    title: 'Co-Expression Analysis',
    name: 'co-expression analysis',
    noticeName: 'Co-expression analysis',
    running: 'Running Co-Expression Analysis',
    icon: Waypoints,
    path: '/api/perform-co-expression-analysis',
    request: coExpressionRequest,
    answer: coExpressionAnswer,
    csvField: 'genes_csv',
    form: {
      defaults: coExpressionDefaults,
      requestOf: coExpressionRequestOf,
      isComplete,
      Fields: CoExpressionFields,
    },
    runningText: () => 'Finding modules of genes',
    startedText: () => 'Finding modules of genes',
    asked: (request, cells) =>
      `Modules of ${request.min_module_genes ?? 15} genes or more, ${cells}: FDR ${request.fdr ?? 0.05}, ${graphText(request.graph, request.n_neighbors ?? 30)}, pairs of at most ${request.max_genes ?? 500} genes`,
    columns: new Map([
      ['group', { label: 'Module', kind: 'text' }],
      ['names', { label: 'Gene', kind: 'text' }],
      ['c', { label: 'Local autocorrelation', kind: 'number' }],
      ['z', { label: 'Z', kind: 'number' }],
      ['skewness', { label: 'Skewness of Z by chance', kind: 'number' }],
      ['pvals', { label: 'P-value', kind: 'p-value' }],
      ['pvals_adj', { label: 'Adjusted p-value', kind: 'p-value' }],
      ['module_z', { label: 'Z within module', kind: 'number' }],
      ['pct_nz', { label: 'Expressing', kind: 'share' }],
    ]),
    files: { table: 'co_expression_genes', figure: 'module_heatmap' },
    figure: 'Module Heatmap',
    panelTitle: 'Module Figures',
    searchPlaceholder: 'Search genes and modules',
    groupGenes: 'genes',
    rowNoun: () => 'gene',
    allRows: (rowCount) => `all genes (${plural(rowCount, 'row')})`,
    read: (answer) => ({
      summary: (cells) =>
        `Co-expression, ${cells}: ${plural(answer.modules.length, 'module')} among ${plural(answer.genes.paired, 'gene')} that were paired, of ${formatCount(answer.genes.passing)} with local autocorrelation, FDR ${answer.parameters.fdr}`,
      figure: figureOf(answer, 'figure'),
      nothing: noModules(answer),
      cautions: answer.warnings.map(({ message }) => message),
      groups: answer.modules.map(({ name, genes }) => ({ name, markers: genes.length, few_cells: false })),
    }),
    Facts: CoExpressionFacts,
    Figure: CoExpressionPanel,
    followUps: coExpressionFollowUps,
  },
);

function noModules({ modules, genes, parameters }: CoExpressionAnswer): NothingFound | null {
  if (modules.length > 0) return null;
  const text =
    genes.passing === 0
      ? `None of ${plural(genes.tested, 'gene')} has similar expression in neighbouring cells with an adjusted p-value below ${parameters.fdr}.`
      : `${plural(genes.passing, 'gene')} of ${formatCount(genes.tested)} have similar expression in neighbouring cells, but no ${parameters.min_module_genes} of them vary together. Lower Min. Module Genes to find smaller modules.`;
  return { title: 'No Modules Found', text: `${text} The table has all genes.` };
}
