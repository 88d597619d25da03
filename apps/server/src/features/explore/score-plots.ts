import type { FigureContent, GenePlot, PlotCellStateAnswer, PlotSignatureAnswer } from '@cellfolio/contract';
import type { ScoreChoice } from '@cellfolio/plots';
import { figureAnswer, type FigureService } from './figure-service.ts';
import type { Waiting } from '../../runtime/compute/analysis-work.ts';
import { originOf } from '../gene-sets/index.ts';
import { type NamedScore, type NamedScores, shownOf, unnamedScore } from '../scores/index.ts';
import type { Selection } from '../selection/index.ts';

/** Figures of signature and cell-state scores. */
export class ScorePlots {
  readonly #figures: FigureService;
  readonly #scores: NamedScores;

  constructor(parts: { figures: FigureService; scores: NamedScores }) {
    this.#figures = parts.figures;
    this.#scores = parts.scores;
  }

  async plotSignature(
    selection: Selection,
    request: { genes: string[]; name: string; violins: boolean },
    waiting: Waiting,
  ): Promise<PlotSignatureAnswer> {
    const { genes, violins } = request;
    const choice = { of: 'signature', score_name: request.name || unnamedScore, genes } as const;
    const score = await this.#scores.of(selection, choice, waiting);
    const answer = await this.#plot(selection, { choice, score, violins }, waiting);
    return { ...answer, score_name: choice.score_name };
  }

  async plotCellState(
    selection: Selection,
    request: { cellState: string; minimumGenes: number; violins: boolean },
    waiting: Waiting,
  ): Promise<PlotCellStateAnswer> {
    const { cellState, minimumGenes, violins } = request;
    const asked = { of: 'cell-state', cell_state: cellState, minimum_genes: minimumGenes } as const;
    const score = await this.#scores.of(selection, asked, waiting);
    const choice = { ...asked, cell_state: score.title };
    return {
      ...(await this.#plot(selection, { choice, score, violins }, waiting)),
      cell_state: score.title,
      minimum_genes: minimumGenes,
      library: originOf(score.library!),
    };
  }

  async #plot(
    selection: Selection,
    { choice, score, violins }: { choice: ScoreChoice; score: NamedScore; violins: boolean },
    waiting: Waiting,
  ): Promise<Omit<PlotSignatureAnswer, 'score_name'>> {
    const types = violins ? (['umap', 'violin'] as const) : (['umap'] as const);
    waiting.onProgress({ stage: `Drawing ${score.title}`, done: 0, total: types.length });
    const plotOf = async (type: GenePlot['plot_type']): Promise<GenePlot> => {
      const content: FigureContent = { kind: `score-${type}`, ...choice };
      const figure = await this.#figures.draw(selection, content, waiting, { score: shownOf(score) });
      return { gene: score.title, plot_type: type, ...figureAnswer(selection, content, figure) };
    };
    return {
      plots: await Promise.all(types.map(plotOf)),
      found_genes: [...score.symbols],
      not_found_genes: [...score.missing],
      control_gene_count: score.controlCount,
      warnings: [...score.cautions],
    };
  }
}
