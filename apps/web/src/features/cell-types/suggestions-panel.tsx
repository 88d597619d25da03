import type { CellTypeAnswer } from '@cellfolio/contract';
import { DrawnFigure, type FigurePanelProps } from '@/features/analyses/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { ApplyBar, useGroupLabels } from './group-labels.tsx';
import { SuggestionRow } from './suggestion-row.tsx';
import { SuggestionTable } from './suggestion-table.tsx';

/** What is suggested for each group and by which markers, with the labels that its user gives, above the heatmap. */
export function SuggestionsPanel({ answer, dataset, onGenes }: FigurePanelProps<CellTypeAnswer>) {
  const { suggestions, parameters, source } = answer;
  const names = useCategoryNames(dataset.filename);
  const labels = useGroupLabels(suggestions);
  return (
    <div className="flex flex-col gap-3">
      <SuggestionTable title={answer.group_title} headings={['Score', 'Adjusted p', 'Markers expressed']}>
        {suggestions.map((suggestion) => (
          <SuggestionRow
            key={suggestion.group}
            suggestion={suggestion}
            parameters={parameters}
            name={names.ofColumn(parameters.groupby, suggestion.group)}
            labels={labels}
            onGenes={onGenes}
          />
        ))}
      </SuggestionTable>
      <ApplyBar
        labels={labels}
        dataset={dataset}
        column={parameters.groupby}
        title={answer.group_title}
        subset={source?.subset}
      />
      {source !== null && (
        <DrawnFigure source={source} alt="Heatmap of the Cell Type Annotation" word="heatmap" />
      )}
    </div>
  );
}
