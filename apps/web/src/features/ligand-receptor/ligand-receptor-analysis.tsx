import {
  type FigureContent,
  type FigureSource,
  type LigandReceptorAnswer,
  type LigandReceptorRequest,
  ligandReceptorAnswer,
  ligandReceptorRequest,
  type DatasetAnalysis,
} from '@cellfolio/contract';
import { maxNamedInteractions } from '@cellfolio/figures/content';
import { ArrowLeftRight } from 'lucide-react';
import {
  defineAnalysis,
  type NothingFound,
  figureOf,
  ResultFacts,
  ListField,
  listSources,
  useOfferedLists,
  NumberFields,
} from '@/features/analyses/index.ts';
import { groupByTitle, suggestedGroupBy, GroupsField } from '@/features/markers/index.ts';
import { columnNamed, type TableColumns, textAt } from '@/features/tables/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import {
  isComplete,
  ligandReceptorDefaults,
  type LigandReceptorForm,
  ligandReceptorRequestOf,
  ligandReceptorNumbers,
  pairsNote,
} from './ligand-receptor-form.ts';

interface LigandReceptorFieldsProps {
  analysis: DatasetAnalysis;
  form: LigandReceptorForm;
  onChange: (change: Partial<LigandReceptorForm>) => void;
}

function LigandReceptorFields({ analysis, form, onChange }: LigandReceptorFieldsProps) {
  return (
    <>
      <GroupsField analysis={analysis} form={form} onChange={onChange} />
      <PairsField analysis={analysis} form={form} onChange={onChange} />
      <NumberFields numbers={ligandReceptorNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        A pair is tested if enough cells of one group express the ligand and enough of another, or the same,
        the receptor. Cell labels are permuted; p is the share of permutations with a mean at least as high,
        and the same seed gives the same result.
      </p>
    </>
  );
}

function PairsField({ analysis, form, onChange }: LigandReceptorFieldsProps) {
  const list = useOfferedLists(listSources.pairs, analysis).data?.find(({ name }) => name === form.pairs);
  return (
    <ListField
      dataset={analysis}
      source={listSources.pairs}
      label="Pairs"
      note={list && pairsNote(list)}
      value={form.pairs}
      onChange={(pairs) => onChange({ pairs })}
      own={form.ownPairs}
      onOwn={(ownPairs) => onChange({ ownPairs })}
    />
  );
}

function LigandReceptorFacts({ answer }: { answer: LigandReceptorAnswer }) {
  const { pair_set: set, pairs, groups, tests, parameters } = answer;
  const named = set.label === '' ? set.name : `${set.name} (${set.label})`;
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">Pairs:</span> {formatCount(pairs.in_dataset)} of{' '}
          {formatCount(pairs.listed)} of {named} · {plural(groups.length, 'group')} ·{' '}
          {formatCount(tests.passing)} of {plural(tests.tested, 'interaction')} with p &lt; {parameters.pval},{' '}
          {formatCount(tests.adjusted)} adjusted
        </>
      }
    >
      <dt>Set of pairs</dt>
      <dd>
        {[named, set.release, set.licence === '' ? '' : `licence: ${set.licence}`, `version ${set.version}`]
          .filter((part) => part !== '')
          .join('; ')}
      </dd>
      <dt>Left out</dt>
      <dd>
        {plural(pairs.missing, 'pair')} with a subunit that the dataset does not have
        {pairs.duplicates > 0 && `, ${formatCount(pairs.duplicates)} that are the same genes as another`}
      </dd>
      <dt>Test</dt>
      <dd>
        CellPhoneDB, as in LIANA: mean of the mean log-normalised values of ligand and receptor, for a complex
        its subunit with the smallest mean; p is the share of {formatCount(parameters.permutations)}{' '}
        permutations of the labels (seed {parameters.seed}) with a mean as high
      </dd>
      <dt>Ranks</dt>
      <dd>
        robust rank aggregates (Kolde et al. 2012), lower is better: magnitude over mean, product and LR
        score, specificity over p, fold change, scaled weight and specificity weight
      </dd>
      <dt>Groups</dt>
      <dd>{groups.map(({ name, cells }) => `${name} (${formatCount(cells)})`).join(', ')}</dd>
    </ResultFacts>
  );
}

export const ligandReceptorAnalysis = defineAnalysis<
  LigandReceptorForm,
  LigandReceptorRequest,
  LigandReceptorAnswer
>({
  id: 'ligand-receptor',
  title: 'Ligand-Receptor Analysis',
  name: 'ligand-receptor analysis',
  noticeName: 'Ligand-receptor analysis',
  running: 'Running Ligand-Receptor Analysis',
  icon: ArrowLeftRight,
  path: '/api/perform-ligand-receptor-analysis',
  request: ligandReceptorRequest,
  answer: ligandReceptorAnswer,
  csvField: 'interactions_csv',
  form: {
    defaults: ligandReceptorDefaults,
    groupByOf: suggestedGroupBy,
    requestOf: ligandReceptorRequestOf,
    isComplete,
    lists: listSources.pairs,
    Fields: LigandReceptorFields,
  },
  runningText: startedText,
  startedText,
  requestLine: (request, cells) =>
    `${pairsText(request)} between ${groupsText(request)}, ${cells}: ${request.permutations ?? 1000} permutations, seed ${request.seed ?? 0}, p < ${request.pval ?? 0.05}`,
  columns: new Map([
    ['source', { label: 'Source', kind: 'text' }],
    ['target', { label: 'Target', kind: 'text' }],
    ['ligand_complex', { label: 'Ligand', kind: 'genes' }],
    ['receptor_complex', { label: 'Receptor', kind: 'genes' }],
    ['ligand_means', { label: 'Ligand mean', kind: 'number' }],
    ['receptor_means', { label: 'Receptor mean', kind: 'number' }],
    ['lr_means', { label: 'Mean', kind: 'number' }],
    ['cellphone_pvals', { label: 'P-value', kind: 'p-value' }],
    ['cellphone_pvals_adj', { label: 'Adjusted p-value', kind: 'number' }],
    ['expr_prod', { label: 'Product', kind: 'number' }],
    ['lr_logfc', { label: 'Log2 fold change', kind: 'number' }],
    ['min_logfc', { label: 'Smaller fold change', kind: 'number' }],
    ['lrscore', { label: 'LR score', kind: 'number' }],
    ['scaled_weight', { label: 'Scaled weight', kind: 'number' }],
    ['spec_weight', { label: 'Specificity weight', kind: 'number' }],
    ['magnitude_rank', { label: 'Magnitude rank', kind: 'number' }],
    ['specificity_rank', { label: 'Specificity rank', kind: 'number' }],
    ['ligand_props', { label: 'Expressing ligand', kind: 'share' }],
    ['receptor_props', { label: 'Expressing receptor', kind: 'share' }],
    ['ligand', { label: 'Ligand subunit', kind: 'text' }],
    ['receptor', { label: 'Receptor subunit', kind: 'text' }],
    ['reference', { label: 'Reference', kind: 'text' }],
  ]),
  pValueBounds: ({ parameters: { permutations } }) => new Map([['cellphone_pvals', 1 / permutations]]),
  files: { table: 'ligand_receptor_analysis', figure: 'ligand_receptor_dotplot' },
  figure: 'Dot Plot',
  furtherFigures: [
    {
      figure: 'Heatmap',
      file: 'ligand_receptor_heatmap',
      sourceOf: (source) => {
        if (source.content.kind !== 'ligand-receptor-dots') return source;
        const { interactions: _, ...content } = source.content;
        return { ...source, content: { ...content, kind: 'ligand-receptor-heatmap' } };
      },
    },
  ],
  searchPlaceholder: 'Search genes and groups',
  rowNoun: () => 'row',
  allRows: (rowCount) => `all interactions (${plural(rowCount, 'row')})`,
  read: (answer) => ({
    summary: (cells) => {
      const { permutations, seed, pval, min_share: share, min_cells: minCells } = answer.parameters;
      return `By ${answer.group_title}, ${cells}: pairs that ${Number((100 * share).toPrecision(6))} % of the cells of both groups express, groups of ${minCells} cells or more; ${formatCount(permutations)} permutations, seed ${seed}; counted: p < ${pval}`;
    },
    figure: figureOf(answer, 'dotplot'),
    nothing: nonePasses(answer),
    cautions: answer.warnings.map(({ message }) => message),
    groups: [],
  }),
  Facts: LigandReceptorFacts,
  figuresOfRow: [
    {
      name: 'Map',
      about:
        'Ligand and receptor in each cell of the result; for a complex, the subunit with the lowest expression.',
      source: (source, table, row) => {
        const pair = genesOfRow(source, table, row);
        if (pair === null) return null;
        const content: FigureContent = { kind: 'pair-umap', first: pair.ligand, second: pair.receptor };
        return { source: { ...source, content }, title: pair.title };
      },
    },
    {
      name: 'Violins',
      about: 'The cells of the result, in all groups of the column.',
      source: (source, table, row) => {
        const { content } = source;
        const pair = genesOfRow(source, table, row);
        if (pair === null || content.kind !== 'ligand-receptor-dots') return null;
        const genes = [...new Set([...pair.ligand, ...pair.receptor])];
        const violins: FigureContent = { kind: 'stacked-violin', genes, by: { column: content.groupby } };
        return { source: { ...source, content: violins }, title: pair.title };
      },
    },
  ],
  figureOfRows: (source, table, rows) => {
    if (source.content.kind !== 'ligand-receptor-dots' || rows.length === 0) return null;
    const count = Math.min(rows.length, maxNamedInteractions);
    const interactions = Array.from({ length: count }, (_, at) => interactionAt(table, rows[at]!));
    const content: FigureContent = { ...source.content, interactions };
    return { ...source, content };
  },
});

/** Subunits of both sides of a row; null if its figure cannot be named. */
function genesOfRow({ content }: FigureSource, table: TableColumns, row: number) {
  const { ligand, receptor } = interactionAt(table, row);
  if (content.kind !== 'ligand-receptor-dots' || !ligand || !receptor) return null;
  const title = `${ligand} and ${receptor}`;
  return { ligand: ligand.split('+'), receptor: receptor.split('+'), title };
}

function interactionAt({ columns }: TableColumns, row: number) {
  const text = (heading: string) => {
    const column = columnNamed(columns, heading);
    return column === undefined ? '' : textAt(column, row);
  };
  const [ligand, receptor] = [text('ligand_complex'), text('receptor_complex')];
  return { source: text('source'), target: text('target'), ligand, receptor };
}

function pairsText({ pairs, own_pairs }: LigandReceptorRequest): string {
  return own_pairs === undefined ? `Pairs ${pairs ?? 'abridged'}` : 'Pairs of your own list';
}

function groupsText({ groupby, groups }: LigandReceptorRequest): string {
  const some = groups === undefined ? 'the groups' : `${formatCount(groups.length)} groups`;
  return `${some} of ${groupByTitle(groupby)}`;
}

function startedText(request: LigandReceptorRequest): string {
  return `Testing ${pairsText(request).replace('Pairs', 'pairs')} between ${groupsText(request)}`;
}

function nonePasses({ tests, pairs, parameters }: LigandReceptorAnswer): NothingFound | null {
  if (tests.passing > 0) return null;
  const share = `${Number((100 * parameters.min_share).toPrecision(6))} %`;
  if (tests.tested === 0) {
    return {
      title: 'No Pair Is Expressed',
      text: `None of ${plural(pairs.in_dataset, 'pair')} has both genes in ${share} of the cells of two groups. Lower Min. Expressing, or try other pairs.`,
    };
  }
  return {
    title: 'No Interaction Passes',
    text: `None of ${plural(tests.tested, 'interaction')} has p < ${parameters.pval}. The table has all of them.`,
  };
}
