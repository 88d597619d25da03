import type { CatalogueDataset, DatasetAnalysis, PlotUmapWithGenesAnswer } from '@cellfolio/contract';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { AppHeader } from '@/components/app-header.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { TooltipProvider } from '@/components/ui/tooltip.tsx';
import { assetUrl } from '@/features/datasets/dataset-links.ts';
import { GeneVisualizationPanel } from '@/features/gene-visualization/gene-visualization-panel.tsx';
import type { PlotKind } from '@/features/gene-visualization/plan-gene-plots.ts';
import { usePlotUmapWithGenes } from '@/features/gene-visualization/use-plot-umap-with-genes.ts';
import { ImageLibraryStrip } from '@/features/image-library/image-library-strip.tsx';
import { MainViewer } from '@/features/image-library/main-viewer.tsx';
import { useImageLibrary } from '@/features/image-library/use-image-library.ts';
import { nameList } from '@/lib/name-list.ts';
import { useServices, useSession } from '@/lib/services.ts';
import { CurrentDatasetCard } from './current-dataset-card.tsx';
import { defaultImage, geneImage, geneImageIdentity } from './explorer-images.ts';
import { LeaveExplorationDialog } from './leave-exploration-dialog.tsx';
import { LoadingOverlay } from './loading-overlay.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

interface ExplorerMainProps {
  disease: string;
  filename: string;
  analysis: DatasetAnalysis;
  entry: CatalogueDataset | undefined;
}

/** The main view: panels on the left; viewer and library on the right, all within one screen. */
export function ExplorerMain({ disease, filename, analysis, entry }: ExplorerMainProps) {
  const { config } = useServices();
  const scope = useMemo(
    () => ({ datasetName: filename, diseaseName: disease, subsetGroupName: 'Global' }),
    [filename, disease],
  );
  const session = useSession();
  const standing = useMemo(
    () => defaultImage(scope, assetUrl(config.analysisUrl, analysis.umap_url), Date.now()),
    [scope, config.analysisUrl, analysis.umap_url],
  );
  const library = useImageLibrary({
    datasetName: filename,
    diseaseName: disease,
    user: session.status === 'signed-in' ? session.user : null,
    defaultImage: standing,
  });
  const call = usePlotUmapWithGenes();
  const { generated } = library;
  const guard = useLeaveGuard(generated.length > 0);

  const find = (gene: string, kind: PlotKind) => library.find(geneImageIdentity(scope, gene, kind));
  const onGenerated = ({ plots }: PlotUmapWithGenesAnswer) => {
    const fresh = plots.filter(({ gene, plot_type }) => find(gene, plot_type) === undefined);
    return library.add(fresh.map((plot) => geneImage(scope, plot)));
  };
  const onExisting = (genes: readonly string[], kinds: readonly PlotKind[]) => {
    library.show(genes.flatMap((gene) => kinds.flatMap((kind) => find(gene, kind)?.id ?? [])));
  };

  return (
    <TooltipProvider delayDuration={400}>
      <div className="flex h-dvh min-h-140 flex-col">
        <title>{`${entry?.name ?? filename} · Cellfolio`}</title>
        <AppHeader beforeSignOut={guard.beforeLeaving}>
          <p className="text-muted min-w-0 truncate text-[13px]">
            {disease !== '' && `${disease} / `}
            <span className="text-foreground font-medium">{entry?.name ?? filename}</span>
          </p>
          <Button asChild variant="ghost" size="sm" className="ml-auto">
            <Link to={selectorPath(disease)}>Change dataset</Link>
          </Button>
        </AppHeader>
        <main className="flex min-h-0 flex-1 gap-3 p-3">
          <h1 className="sr-only">Explorer</h1>
          <div className="flex w-80 shrink-0 flex-col gap-3 overflow-y-auto xl:w-92">
            <Card aria-labelledby="gene-visualization">
              <CardHeader>
                <CardTitle id="gene-visualization">Gene Visualization</CardTitle>
              </CardHeader>
              <CardContent>
                <ErrorBoundary region="Gene Visualization">
                  <GeneVisualizationPanel
                    geneLibrary={analysis.gene_library}
                    genesPerCall={config.limits.genesPerCall}
                    call={call}
                    exists={(gene, kind) => find(gene, kind) !== undefined}
                    onGenerated={onGenerated}
                    onExisting={onExisting}
                  />
                </ErrorBoundary>
              </CardContent>
            </Card>
            <ErrorBoundary region="The dataset card">
              <CurrentDatasetCard disease={disease} filename={filename} analysis={analysis} entry={entry} />
            </ErrorBoundary>
          </div>
          <div className="flex min-w-0 flex-1 flex-col gap-3">
            <section aria-label="Main Viewer" className="relative min-h-0 flex-1">
              <ErrorBoundary region="The viewer">
                <MainViewer library={library} />
              </ErrorBoundary>
              {call.isPending && (
                <LoadingOverlay
                  title="Generating Gene UMAP"
                  text={nameList(call.variables?.genes ?? [])}
                  onCancel={call.cancel}
                />
              )}
            </section>
            <ErrorBoundary region="The image library">
              <ImageLibraryStrip library={library} datasetName={filename} />
            </ErrorBoundary>
          </div>
        </main>
        <LeaveExplorationDialog images={generated} guard={guard} />
      </div>
    </TooltipProvider>
  );
}

function selectorPath(disease: string): string {
  return disease === '' ? '/dataset-selector' : `/dataset-selector?${new URLSearchParams({ disease })}`;
}
