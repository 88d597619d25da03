import { answerOf, type MapAnswer, type MapQuestion } from './map-question.ts';
import type { PlacedCells } from './points.ts';

export interface ThreadCells {
  cells: PlacedCells;
}

export interface ThreadQuestion {
  id: number;
  question: MapQuestion;
}

export interface ThreadAnswer {
  id: number;
  answer: MapAnswer;
}

let placedCells: PlacedCells | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ThreadCells | ThreadQuestion>) => {
  if ('cells' in data) {
    placedCells = data.cells;
    return;
  }
  const answer = answerOf(placedCells!, data.question);
  self.postMessage({ id: data.id, answer } satisfies ThreadAnswer, { transfer: [answer.buffer] });
});
