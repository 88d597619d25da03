import { toast } from '@/components/ui/toast.ts';
import type { GenesOnMap } from '@/features/analyses/index.ts';
import { isMapOf } from '@/features/images/index.ts';
import { defaultCard, useMapState } from '@/features/map/index.ts';
import type { Exploration } from './use-exploration.ts';

const notInDataset = 'gene-not-in-dataset';

/** Genes of results on the first live map of the viewer, or on that of the whole dataset, which is then shown. */
export function useGenesOnMap({
  maps,
  library,
  index,
  filename,
  analysis,
  showGenes,
}: Exploration): GenesOnMap {
  const gene = useMapState(maps, ({ shownGene }) => shownGene?.gene ?? null);
  const cardOf = (): string | undefined => {
    const opened = { filename, version: analysis.version };
    const shown = library.viewed.filter((image) => isMapOf(image, opened)).map(({ id }) => id);
    if (shown.length > 0) return shown.includes(defaultCard) ? defaultCard : shown[0];
    const whole = library.images.find(({ id }) => id === defaultCard);
    if (whole === undefined || !isMapOf(whole, opened)) return undefined;
    library.show([defaultCard]);
    return defaultCard;
  };
  return {
    gene,
    show: (name) => {
      if (name === null) return maps.hideGene();
      const symbol = index.exact.has(name) ? name : index.spelling.get(name.toLowerCase());
      if (symbol === undefined) {
        toast.info('Not in the dataset', { id: notInDataset, description: name });
        return;
      }
      const card = cardOf();
      if (card === undefined) showGenes([symbol]);
      else maps.showGene(card, symbol);
    },
    draw: showGenes,
  };
}
