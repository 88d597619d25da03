import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { AccessPolicy } from '../../runtime/http/access.ts';
import type { Catalogue, ReadableDatasets } from '../catalogue/index.ts';
import type { NamedScores } from '../scores/index.ts';
import type { SelectionServices } from '../selection/index.ts';
import type { FigureService } from './figures.ts';

export interface ExploreServices extends SelectionServices {
  readonly access: AccessPolicy;
  readonly catalogue: Catalogue;
  readonly readable: ReadableDatasets;
  readonly datasets: OpenDatasets;
  readonly figures: FigureService;
  readonly scores: NamedScores;
  readonly limits: { readonly genesPerCall: number };
}
