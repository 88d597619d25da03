import { fit } from '@cellfolio/map';
import { useQueryClient } from '@tanstack/react-query';
import {
  suggestGenes,
  type GeneIndex,
  isGeneList,
  pastedNames,
  readGenes,
  useFindGenes,
} from '@/features/genes/index.ts';
import { comparableWith, keptName, keptSummary } from '@/features/analyses/index.ts';
import { viewerSizes } from '@/features/images/index.ts';
import { useCopyLink } from '@/features/links/copy-link-button.tsx';
import { columnListQuery, noColours } from '@/features/map/index.ts';
import { type SavedSubset, useApplyGroup } from '@/features/subsets/index.ts';
import { toast } from '@/components/ui/toast.ts';
import { type Command, type CommandSource, listedCommands, useCommandSources } from '@/lib/commands.ts';
import { formatCount, nameList, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { missingMap } from './explorer-images.ts';
import { revealPanel, revealViewer } from './panel-reveals.ts';
import { colorMap } from './use-ask-host.ts';
import { analysisPanels, explorationPanels, genePanel } from './panel-titles.ts';
import type { Exploration } from './use-exploration.ts';

/** Offers what the explorer can do in the command palette. */
export function useExplorerCommands(exploration: Exploration): void {
  const findGenes = useFindGenes(exploration.index);
  const columns = useColumnCommands(exploration);
  const subsets = useSubsetCommands(exploration);
  const copyLink = useCopyLink(exploration);
  const draw = exploration.showGenes;
  useCommandSources(() => [
    geneSource(exploration.index, draw),
    listedCommands('Open a result', resultCommands(exploration)),
    listedCommands('Run an analysis', analysisCommands(exploration)),
    listedCommands('Color the map by', columns()),
    listedCommands('Choose cells', subsets),
    listedCommands('View', viewCommands(exploration, copyLink)),
    listedCommands('Panels', panelCommands(exploration)),
    otherNameSource(exploration.index, async (name) => {
      const { genes, ambiguous } = await findGenes([name]);
      if (genes.length > 0) draw(genes);
      else
        toast.warning(`${name} was not drawn`, {
          description:
            ambiguous.length > 0
              ? `It may be ${nameList(ambiguous.flatMap((one) => one.genes))}.`
              : 'The dataset has no gene of this name.',
        });
    }),
  ]);
}

function geneCommand(gene: string, draw: (genes: readonly string[]) => void, note?: string): Command {
  return { id: `gene:${gene}`, label: gene, note, run: () => draw([gene]) };
}

/** Genes as the gene box finds them: by symbol or by another name; a pasted list is drawn at once. */
export function geneSource(index: GeneIndex, draw: (genes: readonly string[]) => void): CommandSource {
  return {
    heading: 'Draw a gene',
    find: (text) => {
      if (text === '') return [];
      if (isGeneList(text)) {
        const { genes, missing } = readGenes(pastedNames(text), index);
        if (genes.length < 2 || missing.length > 0) return [];
        const label = `Draw ${nameList(genes)}`;
        return [
          {
            rank: 0,
            command: {
              id: `genes:${genes.join()}`,
              label,
              note: plural(genes.length, 'gene'),
              run: () => draw(genes),
            },
          },
        ];
      }
      const query = text.toLowerCase();
      const { symbols } = suggestGenes(index, text);
      const [other] = symbols.some((symbol) => symbol.toLowerCase() === query)
        ? []
        : readGenes([text], index).genes;
      return [
        ...(other === undefined
          ? []
          : [{ rank: 0 as const, command: geneCommand(other, draw, `also ${text}`) }]),
        ...symbols
          .filter((symbol) => symbol !== other)
          .map((symbol) => {
            const lower = symbol.toLowerCase();
            const rank =
              lower === query ? (0 as const) : lower.startsWith(query) ? (1 as const) : (3 as const);
            return { rank, command: geneCommand(symbol, draw) };
          }),
      ];
    },
    byId: (id) => {
      const gene = id.startsWith('gene:') ? id.slice('gene:'.length) : '';
      return index.exact.has(gene) ? geneCommand(gene, draw) : undefined;
    },
  };
}

/** A name that the page does not know is looked up by the server: Ensembl ids, former symbols and aliases. */
function otherNameSource(index: GeneIndex, drawNamed: (name: string) => Promise<void>): CommandSource {
  return {
    heading: 'Other names of genes',
    find: (text) => {
      const isName = /^[\w.-]{2,30}$/.test(text);
      if (
        !isName ||
        suggestGenes(index, text).symbols.length > 0 ||
        readGenes([text], index).genes.length > 0
      )
        return [];
      const run = () => void drawNamed(text);
      return [
        {
          rank: 3,
          command: { id: `name:${text}`, label: `Draw ${text}`, note: 'Another name of a gene', run },
        },
      ];
    },
    byId: () => undefined,
  };
}

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: 'numeric' });

function resultCommands({ runs }: Exploration): Command[] {
  const [shown] = runs.activeTab?.analyses ?? [];
  const others = shown === undefined ? [] : comparableWith(runs, shown);
  return [
    ...runs.analyses.map((analysis) => ({
      id: `result:${analysis.id}`,
      label: keptName(analysis),
      note: `${keptSummary(analysis)}, ${day.format(analysis.ranAt)}`,
      keywords: `open result ${analysis.module.title}`,
      run: () => runs.show(analysis.id),
    })),
    ...others.map((other) => ({
      id: `compare:${shown!.id}:${other.id}`,
      label: `Compare ${keptName(shown!)} with ${keptName(other)}`,
      note: keptSummary(other),
      keywords: 'two results',
      run: () => runs.compare([shown!.id, other.id]),
    })),
  ];
}

function analysisCommands({ runs }: Exploration): Command[] {
  return runs.modules.map((module) => ({
    id: `analysis:${module.id}`,
    label: module.title,
    note: module.question,
    keywords: `run analysis ${module.name} ${module.searchWords}`,
    run: () => runs.prepare(module, {}),
  }));
}

/** Columns color the map of the whole dataset. */
function useColumnCommands(exploration: Exploration): () => Command[] {
  const { filename, analysis } = exploration;
  const { api } = useServices();
  const client = useQueryClient();
  return () => {
    const list = client.getQueryData(columnListQuery(api, { filename, version: analysis.version }).queryKey);
    if (list === undefined || missingMap(analysis) !== undefined) return [];
    return list.obs
      .filter((column) => noColours(column) === undefined)
      .map(({ name, title, kind, categories = 0, modality }) => ({
        id: `column:${filename}:${name}`,
        label: title,
        note:
          kind === 'categories'
            ? plural(categories, 'category', 'categories')
            : modality === 'protein'
              ? 'protein'
              : 'numbers',
        keywords: `color by ${name}`,
        run: () => {
          colorMap(exploration, { kind: 'obs-umap', column: name });
        },
      }));
  };
}

function useSubsetCommands({ subsets, activeSubset, analysis, onReload }: Exploration): Command[] {
  const { applyGroup } = useApplyGroup(activeSubset, onReload);
  const apply = (group: SavedSubset | null) => {
    revealViewer();
    void applyGroup(group);
  };
  return [
    {
      id: 'subset:',
      label: 'All cells',
      note: plural(analysis.cell_count, 'cell'),
      keywords: 'subset global whole dataset',
      run: () => apply(null),
    },
    ...(subsets.list.data ?? []).map((subset) => ({
      id: `subset:${subset.id}`,
      label: subset.name,
      note: 'Saved subset',
      run: () => apply(subset),
    })),
  ];
}

function viewCommands(exploration: Exploration, copyLink: () => void): Command[] {
  const { filename, mapStores, library, scale, labels, genes } = exploration;
  const maps = mapStores(filename);
  const { density, past, future, selection } = maps.state;
  const view = (id: string, label: string, keywords: string, act: () => void): Command => ({
    id: `view:${id}`,
    label,
    keywords,
    run: () => {
      revealViewer();
      act();
    },
  });
  return [
    view('fit', 'Show all cells on the maps', 'zoom to fit reset', () => maps.set({ camera: fit() })),
    // With own labels the button asks what to share.
    ...(labels.length === 0
      ? [{ id: 'view:link', label: 'Copy link', keywords: 'share view address', run: copyLink }]
      : []),
    view('lasso', 'Select with a lasso', 'draw cells tool', () => maps.set({ tool: 'lasso' })),
    view('box', 'Select with a box', 'rectangle cells tool', () => maps.set({ tool: 'box' })),
    view('pan', 'Move the maps', 'pan hand tool', () => maps.set({ tool: 'pan' })),
    view('density', density ? 'Show cells as points' : 'Show density', 'display map density', () =>
      maps.set({ density: !density }),
    ),
    ...(selection === null ? [] : [view('clear', 'Clear the selection', 'cells', () => maps.select(null))]),
    ...(past.length === 0 ? [] : [view('undo', 'Undo the selection', 'cells', () => maps.undo())]),
    ...(future.length === 0 ? [] : [view('redo', 'Redo the selection', 'cells', () => maps.redo())]),
    ...(scale.offered
      ? [
          view(
            'scale',
            scale.on ? 'Own scale for each image' : 'Same scale for all images',
            'colors range',
            () => scale.turn(!scale.on),
          ),
        ]
      : []),
    ...viewerSizes
      .filter((size) => size !== library.size)
      .map((size) =>
        view(
          `size-${size}`,
          `Show up to ${formatCount(size)} images`,
          'viewer grid small maps four six nine twelve',
          () => library.resize(size),
        ),
      ),
    view('search', 'Search genes', 'gene box several', genes.toSearch),
  ];
}

/** Tasks by which users look for a panel. */
const panelWords: ReadonlyMap<string, string> = new Map([
  [explorationPanels.geneLists, 'rename delete signature set of genes'],
  [analysisPanels.subsets, 'rename delete filter group of cells'],
  [
    analysisPanels.annotations,
    'rename merge recolor reorder delete cell types clusters labels order colors names',
  ],
  [analysisPanels.run, 'rename delete compare results table excel xlsx'],
  [analysisPanels.exports, 'download csv h5ad dataset metadata'],
]);

function panelCommands({ genes }: Exploration): Command[] {
  const titles = [...Object.values(explorationPanels), ...Object.values(analysisPanels)];
  return [
    {
      id: `panel:${genePanel}`,
      label: genePanel,
      keywords: 'panel violin several subsets',
      run: genes.toSearch,
    },
    ...titles.map((title) => ({
      id: `panel:${title}`,
      label: title,
      note: 'Panel',
      keywords: panelWords.get(title),
      run: () => revealPanel(title),
    })),
  ];
}
