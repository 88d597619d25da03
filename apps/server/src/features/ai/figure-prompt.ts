import { defaultAnalysisPrompt } from '@cellfolio/contract';
import { type FigureNumbers, firstRows } from '@cellfolio/figures/words';
import { fencedData } from '../../runtime/fenced-data.ts';

/** Maximum length of a figure's numbers, in characters. */
const maxNumbers = 24_000;

export interface Question {
  filename: string;
  /** The user's question; empty for a general description. */
  prompt: string;
  numbers: FigureNumbers | undefined;
}

export interface FigurePrompt {
  instructions: string;
  text: string;
}

/** Builds the prompt, its data fenced. */
export function figurePrompt({ filename, prompt, numbers }: Question): FigurePrompt {
  const figure = numbers === undefined ? 'not known' : boundedNumbers(numbers);
  const { notice, text } = fencedData({ filename, figure });
  return {
    instructions: [
      'You help a biologist read one figure of a single-cell RNA sequencing study.',
      'Describe what the figure shows, what stands out, and what it cannot tell. Be precise and brief: at most 400 words of plain text, without Markdown tables.',
      'Numbers given with the figure are exact; prefer them to what you read off the picture, and invent none. Say so where the figure does not answer the question.',
      'Cautions given with the figure limit what follows from it: name those that bear on your answer.',
      notice,
    ].join('\n'),
    text: [
      text,
      '',
      `The biologist asks: ${prompt.trim() === '' ? defaultAnalysisPrompt : prompt.trim()}`,
    ].join('\n'),
  };
}

/** Keeps as many rows as fit and states the total. */
function boundedNumbers(numbers: FigureNumbers): unknown {
  for (let rows = 200; rows > 1; rows = Math.floor(rows / 2)) {
    const cut = firstRows(numbers, rows);
    if (JSON.stringify(cut).length <= maxNumbers) return cut;
  }
  const { kind, title, datasetName, summary, cautions = [] } = numbers;
  return { kind, title, datasetName, summary, cautions: cautions.map(({ message }) => message) };
}
