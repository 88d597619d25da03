import type { CellTypeAnswer } from '@cellfolio/contract';
import { DrawnFigure, type FigurePanelProps } from '@/features/analyses/index.ts';
import { SuggestionRow } from './suggestion-row.tsx';
import { SuggestedLabels } from './suggestion-table.tsx';

/** What is suggested for each group and by which markers, with the labels that its user gives, above the heatmap. */
export function SuggestionsPanel({ answer, dataset, onGenes }: FigurePanelProps<CellTypeAnswer>) {
  const { suggestions, parameters, source } = answer;
  return (
    <div className="flex flex-col gap-3">
      <SuggestedLabels
        {...{ suggestions, parameters, dataset, onGenes }}
        title={answer.group_title}
        headings={['Score', 'Adjusted p', 'Markers expressed']}
        subset={source?.subset}
        Row={SuggestionRow}
      />
      {source !== null && (
        <DrawnFigure source={source} alt="Heatmap of the Cell Type Annotation" word="heatmap" />
      )}
    </div>
  );
}
