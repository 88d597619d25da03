import {
  cellTypes,
  coExpression,
  comparison,
  composition,
  deciles,
  gradient,
  ligandReceptor,
  markers,
  pathway,
  perturbations,
  rankedEnrichment,
  trajectory,
} from '@cellfolio/analyses';
import {
  type CatalogueDataset,
  type DatasetAnalysis,
  type DatasetMetadata,
  annotationsIn,
} from '@cellfolio/contract';
import { contentAddress } from '@cellfolio/figures/content';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAnnotationAtHand, useOwnColumns } from '@/features/annotations/index.ts';
import { type AnalysisModule, type AnalysisRuns, useAnalysisRuns } from '@/features/analyses/index.ts';
import { assetUrl } from '@/features/catalogue/index.ts';
import { indexGenes } from '@/features/genes/index.ts';
import { cellModelAnalysis } from '@/features/cell-models/model-analysis.tsx';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import {
  type ImageLibrary,
  useImageLibrary,
  onKeptCells,
  sameImage,
  useCommonScaleOf,
} from '@/features/images/index.ts';
import { useDisplayed } from '@/features/category-displays/index.ts';
import {
  columnListQuery,
  defaultMapTitle,
  type MapStore,
  useEarlyGenes,
  useMapStores,
  mapAddress,
  useMapAddress,
  useMapState,
} from '@/features/map/index.ts';
import {
  type ActiveSubset,
  normalFilter,
  useActiveSubset,
  useSavedSubsets,
} from '@/features/subsets/index.ts';
import { useServices, useSession } from '@/lib/services.ts';
import { readTexts, useDraft } from '@/lib/use-draft.ts';
import { useDefaultMap } from './default-map.ts';
import {
  type ImageScope,
  defaultImage,
  globalGroup,
  groupedByOf,
  missingMap,
  useExplorerImages,
  identityOf,
  defaultContent,
} from './explorer-images.ts';
import { useKeepFigure } from './keep-figure.ts';
import { useLeaveGuard, type LeaveGuard } from './leave-exploration.tsx';
import { type CustomFile, useReopenDataset } from './open-dataset.tsx';
import { usePlotCalls } from './panels/plot-calls.ts';
import { useIsCurrent } from './dataset-version.ts';
import { revealPanel } from './panel-reveals.ts';
import { analysisPanels, genePanel } from './panel-titles.ts';
import { useRedraw } from './use-redraw.ts';
import { useImageOrigins } from './use-image-origins.ts';
import { useSearchFocus } from './use-search-focus.ts';
import { useSelectionActions } from './use-selection-actions.tsx';
import { useShowGenes } from './use-show-genes.ts';
import { useSubsetPlots } from './use-subset-plots.ts';
import { addressOf, filterText, useWrittenAddress } from './address-texts.ts';
import { type Opening, useOpenedAddress } from './use-opened-address.ts';

const declared = (...those: readonly { id: string }[]) => those.map(declaredAnalysis);
const analysisModules: readonly AnalysisModule[] = [
  ...declared(comparison, pathway, markers),
  ...declared(gradient, ligandReceptor, deciles, trajectory, coExpression, composition),
  ...declared(rankedEnrichment, cellTypes, perturbations),
];
const withCellModels: readonly AnalysisModule[] = [...analysisModules, cellModelAnalysis];

export interface OpenedDataset {
  disease: string;
  filename: string;
  analysis: DatasetAnalysis;
  entry: CatalogueDataset | undefined;
  /** Names the datasets of images; absent when it could not be loaded. */
  catalogue: DatasetMetadata | undefined;
  /** Set for an upload of the user. */
  custom: CustomFile | null;
  /** Address of the default figure if it is not the public one. */
  defaultUrl: string | null;
  /** The server has another version than the open one. */
  isReplaced: boolean;
}

export function useExploration(opened: OpenedDataset) {
  const { disease, filename, analysis, entry, catalogue, custom } = opened;
  const { limits, features } = useServices().config;
  const { genesPerCall } = limits;
  const session = useSession();
  const user = session.status === 'signed-in' ? session.user : null;
  const draftKey = `${user?.id ?? ''}:${filename}`;
  const name = custom?.name ?? entry?.name ?? filename;
  const groupedBy = groupedByOf(analysis);

  const subsets = useSavedSubsets(filename, disease);
  const activeSubset = useActiveSubset();
  const { group } = activeSubset.active;
  const { whole, scope } = useImageScopes(opened, activeSubset);
  const onReload = useReopenDataset(filename, analysis, activeSubset);

  const library = useImageLibrary({ user, defaultImage: useDefaultImage(opened) });
  const { originOf, addCells } = useImageOrigins({
    dataset: {
      datasetName: filename,
      diseaseName: disease,
      name,
      version: opened.isReplaced ? null : analysis.version,
    },
    catalogue,
    images: library.images,
    userId: user?.id ?? '',
    subsets,
    activeSubset,
  });
  const images = useExplorerImages(library, scope, useIsCurrent({ filename, version: analysis.version }));
  const several = useSubsetPlots({ whole, saved: subsets.list.data ?? [], take: images.take });
  const index = useGeneIndex(filename, analysis);
  const runs = useAnalysisRuns({
    modules: features.cellModels === true ? withCellModels : analysisModules,
    draftKey,
    datasetName: filename,
    title: name,
    version: analysis.version,
    group,
    cells: scope.cellCount,
    subsets: subsets.list.data,
    reveal: () => revealPanel(analysisPanels.run),
  });
  const guard = useUnkeptGuard(library, runs);
  const mapStores = useMapStores();
  const maps = mapStores(filename);
  useForgottenCells(maps, analysis.version);
  useDefaultMap(filename, analysis, { maps, library });
  const { keep, show } = useKeepFigure({ whole, maps, take: images.take });
  const annotation = useAnnotationAtHand(draftKey);
  const { version, cell_count: cellCount } = analysis;
  const dataset = { filename, version, cellCount };
  const selectionActions = useSelectionActions({ dataset, subsets, activeSubset, runs, maps, annotation });
  const shown = { scope: whole, subsets, activeSubset, library, take: images.take, maps, guard };
  const { draw, leftOut, labels, address, lacking, scale } = useAddressView(shown);
  const genes = useGeneChoice(draftKey);
  const filter = group === null ? undefined : normalFilter(group.filter);
  const calls = usePlotCalls(useEarlyGenes({ filename, version }, filter, maps));
  const drawGenes = useShowGenes({ calls, images, add: genes.add });
  return {
    name,
    filename,
    analysis,
    groupedBy,
    draftKey,
    genesPerCall,
    index,
    subsets,
    activeSubset,
    library,
    originOf,
    images,
    several,
    runs,
    guard,
    mapStores,
    maps,
    selectionActions,
    annotation,
    keepFigure: keep,
    showFigure: show,
    leftOut,
    address,
    labels,
    lacking,
    scale,
    genes,
    showGenes: (drawn: readonly string[]) => void drawGenes(drawn),
    drawGenes,
    scopes: { whole, active: scope, addCells },
    calls,
    addressDraw: draw,
    onReload,
    isReplaced: opened.isReplaced,
    redraw: useRedraw({ whole, isReplaced: opened.isReplaced, onReload, library }),
  };
}

export type Exploration = ReturnType<typeof useExploration>;

function useUnkeptGuard({ generated }: ImageLibrary, { unkept }: AnalysisRuns) {
  return useLeaveGuard({
    navigating: generated.length > 0 || unkept.length > 0,
    closing: unkept.length > 0 || generated.some(({ saveState }) => saveState !== 'yes'),
  });
}

function useGeneIndex(filename: string, { gene_library: genes, version }: DatasetAnalysis) {
  return useMemo(() => indexGenes(genes, { filename, version }), [genes, version, filename]);
}

function useImageScopes({ disease, filename, analysis }: OpenedDataset, { active }: ActiveSubset) {
  const { group, answer } = active;
  const whole: ImageScope = {
    datasetName: filename,
    diseaseName: disease,
    version: analysis.version,
    groupedBy: groupedByOf(analysis),
    map: useMapTitle(filename, analysis),
    subsetGroupName: globalGroup,
    filter: null,
    cellCount: analysis.cell_count,
    annotations: useOwnColumns(filename, analysis.version),
    displayed: useDisplayed(filename).of,
  };
  if (group === null) return { whole, scope: whole };
  const { name, filter } = group;
  const scope = { ...whole, subsetGroupName: name, filter, cellCount: answer?.cell_count ?? null };
  return { whole, scope };
}

function useDefaultImage({ disease, filename, analysis, defaultUrl }: OpenedDataset) {
  const { analysisUrl } = useServices().config;
  const [openedAt] = useState(() => Date.now());
  const map = useMapTitle(filename, analysis);
  return useMemo(
    () =>
      defaultImage(
        { datasetName: filename, diseaseName: disease, groupedBy: groupedByOf(analysis), map },
        defaultUrl ?? assetUrl(analysisUrl, analysis.umap_url),
        openedAt,
        missingMap(analysis),
        analysis.cell_count,
      ),
    [filename, disease, defaultUrl, analysisUrl, analysis, openedAt, map],
  );
}

/** Clears map selections on a version change: they are cell indices, which differ between versions. */
function useForgottenCells(maps: MapStore, version: string) {
  const before = useRef(version);
  useEffect(() => {
    if (before.current === version) return;
    before.current = version;
    maps.forgetCells();
  }, [maps, version]);
}

function useGeneChoice(draftKey: string) {
  const [chosen, setChosen] = useDraft<string[]>(`${draftKey}:genes`, [], readTexts);
  const searchRef = useRef<HTMLInputElement>(null);
  return {
    chosen,
    setChosen,
    searchRef,
    toSearch: useSearchFocus(searchRef, () => revealPanel(genePanel)),
    add: (genes: readonly string[]) => setChosen((current) => Array.from(new Set([...current, ...genes]))),
  };
}

function useMapTitle(filename: string, { version }: DatasetAnalysis): string | undefined {
  const { api } = useServices();
  return defaultMapTitle(useQuery({ ...columnListQuery(api, { filename, version }), enabled: false }).data);
}

interface AddressViewOptions extends Omit<Opening, 'current' | 'scale'> {
  /** While a navigation is pending the URL is not changed: another navigation would cancel it. */
  guard: Pick<LeaveGuard, 'leaving' | 'isLeaving'>;
}

function useAddressView({ guard, ...opening }: AddressViewOptions) {
  const { scope, activeSubset, library, maps } = opening;
  const { group, answer } = activeSubset.active;
  const current: ImageScope = {
    ...scope,
    subsetGroupName: group?.name ?? globalGroup,
    filter: group?.filter ?? null,
    cellCount: group === null ? scope.cellCount : (answer?.cell_count ?? null),
  };
  const keptCells = useMapState(maps, (state) => state.keptCells);
  const opened = { filename: scope.datasetName, version: scope.version };
  const scale = useCommonScaleOf(library.viewed);
  const { isOpen, draw, cells, needsLink, lacking } = useOpenedAddress({ ...opening, current, scale });

  const filter = group === null ? undefined : filterText(group.filter);
  const contents = library.viewed.flatMap((one) => {
    const { source, ...image } = onKeptCells(one, keptCells, opened);
    if (!source) return [];
    // Opening the URL would draw images of other cells on these.
    const ofThese =
      image.type === 'default' || sameImage({ ...image, source }, identityOf(current, source.content));
    const view = ofThese ? contentAddress(source.content) : undefined;
    return view === undefined ? [] : [{ id: one.id, content: source.content, view }];
  });
  const views = contents.map(({ view }) => view);
  const shown = views.length === 1 && views[0] === contentAddress(defaultContent) ? [] : views;
  // Opening the URL gives the looks of its cards to its figures, in their order.
  const cards = contents.map(({ id }) => id);
  const mapCards = cards.length > 0 ? cards : library.viewer;
  const map = useMapAddress(maps, mapCards, cells);
  const subsetId = group?.id ?? group?.linked ?? null;
  const ranges = shown.length > 0 ? scale.ranges : null;
  const view = {
    subsetId,
    filter: filter ?? null,
    views: shown,
    scale: ranges && JSON.stringify(ranges),
    needsLink,
  };
  const cardsLeftOut = useWrittenAddress({ ...view, map }, !isOpen || guard.leaving, guard.isLeaving);
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const selection = useMapState(maps, (shows) => shows.selection);
  return {
    draw,
    scale,
    lacking,
    /** The user's own columns that the view shows or chooses cells by: a recipient does not have them. */
    labels: annotationsIn(scope.annotations, contents, group?.filter, map === null ? null : JSON.parse(map)),
    /** Address of what is shown now, which the page's own follows a moment later. */
    address: () => {
      const now = { ...view, map: mapAddress(maps.state, mapCards, cells) };
      return `${pathname}?${isOpen ? addressOf(params, now).params : params}`;
    },
    /** Parts of the view that have no room in a URL: a recipient does not see them. */
    leftOut: {
      /** Selected cells that are not saved. */
      cells:
        (group !== null && subsetId === null && filter === undefined) ||
        (selection !== null && map?.includes('"selection":') !== true),
      cards: cardsLeftOut,
    },
  };
}
