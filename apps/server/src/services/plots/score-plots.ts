import {
  type FigureContent,
  type GenePlot,
  type PlotCellStateAnswer,
  type PlotSignatureAnswer,
} from '@cellfolio/contract';
import type { OpenDatasets } from '../../compute/open-datasets.ts';
import { type GeneSetLibraries, originOf } from '../../gene-sets/gene-set-store.ts';
import { figureAnswer, type FigureService } from '../figure-service.ts';
import { cellStateGenes } from '../scores/cell-states.ts';
import { type GeneSetToScore, scoredGenes } from '../scores/scored-genes.ts';
import type { SignatureScoring } from '../scores/signature-scores.ts';
import { unnamedScore } from '../scores/unnamed-score.ts';
import type { Selection, Waiting } from '../selection.ts';

export interface ScorePlotParts {
  readonly datasets: OpenDatasets;
  readonly figures: FigureService;
  readonly libraries: GeneSetLibraries;
  readonly scoring: SignatureScoring;
}

type ScorePlotsAnswer = Omit<PlotSignatureAnswer, 'score_name'>;

/** A score to plot, and the contents of its figures. */
interface Score extends GeneSetToScore {
  readonly umap: FigureContent;
  /** Absent where no violins were asked for. */
  readonly violin: FigureContent | false;
}

/** Figures of signature and cell-state scores. */
export class ScorePlots {
  readonly #parts: ScorePlotParts;

  constructor(parts: ScorePlotParts) {
    this.#parts = parts;
  }

  async plotSignature(
    selection: Selection,
    request: { genes: string[]; name: string; violins: boolean },
    waiting: Waiting,
  ): Promise<PlotSignatureAnswer> {
    const { genes, violins } = request;
    const name = request.name || unnamedScore;
    const about = { score_name: name, genes };
    const answer = await this.#plot(
      selection,
      {
        name,
        genes,
        umap: { kind: 'signature-umap', ...about },
        violin: violins && { kind: 'signature-violin', ...about },
      },
      waiting,
    );
    return { ...answer, score_name: name };
  }

  async plotCellState(
    selection: Selection,
    request: { cellState: string; minimumGenes: number; violins: boolean },
    waiting: Waiting,
  ): Promise<PlotCellStateAnswer> {
    const { name, genes, library } = await cellStateGenes(this.#parts.libraries, request.cellState);
    const { minimumGenes } = request;
    const about = { cell_state: name, minimum_genes: minimumGenes };
    const answer = await this.#plot(
      selection,
      {
        name,
        genes,
        state: { minimumGenes },
        umap: { kind: 'cell-state-umap', ...about },
        violin: request.violins && { kind: 'cell-state-violin', ...about },
      },
      waiting,
    );
    return {
      ...answer,
      cell_state: name,
      minimum_genes: minimumGenes,
      library: originOf(library),
    };
  }

  async #plot(selection: Selection, score: Score, waiting: Waiting): Promise<ScorePlotsAnswer> {
    const { datasets, figures, scoring } = this.#parts;
    const { genes: index } = await datasets.get(selection.manifest);
    const { rows, symbols, missing, cautions } = scoredGenes(index, score);
    const { controlCount } = await scoring.score(selection, rows, waiting);
    const wanted: [GenePlot['plot_type'], FigureContent][] = [
      ['umap', score.umap],
      ...(score.violin ? [['violin', score.violin] as ['violin', FigureContent]] : []),
    ];
    waiting.onProgress({ stage: `Drawing ${score.name}`, done: 0, total: wanted.length });
    const plotOf = async ([type, content]: (typeof wanted)[number]): Promise<GenePlot> => {
      const figure = await figures.draw(selection, content, waiting);
      return { gene: score.name, plot_type: type, ...figureAnswer(selection, content, figure) };
    };
    const plots = await Promise.all(wanted.map(plotOf));
    return {
      plots,
      found_genes: [...symbols],
      not_found_genes: [...missing],
      control_gene_count: controlCount,
      warnings: [...cautions],
    };
  }
}
