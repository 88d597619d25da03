import type { CellTypeAnswer } from '@cellfolio/contract';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Table, TableBody, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { DrawnFigure, type FigurePanelProps } from '@/features/analyses/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { ApplyLabels } from './apply-labels.tsx';
import { SuggestionRow } from './suggestion-row.tsx';

/** What is suggested for each group and by which markers, with the labels that its user gives, above the heatmap. */
export function SuggestionsPanel({ answer, dataset, onGenes }: FigurePanelProps<CellTypeAnswer>) {
  const { suggestions, parameters, source } = answer;
  const names = useCategoryNames(dataset.filename);
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(
    () => new Map(suggestions.map(({ group, suggestion }) => [group, suggestion ?? ''])),
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const labelOf = (group: string) => labels.get(group) ?? '';
  const suggested = suggestions.filter(({ suggestion }) => suggestion !== null).map(({ group }) => group);
  const choose = (group: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(group);
    else next.delete(group);
    setChosen(next);
  };
  return (
    <div className="flex flex-col gap-3">
      <Table aria-label="Suggested cell types">
        <TableHeader>
          <TableRow>
            <TableHead>
              <span className="sr-only">Apply</span>
            </TableHead>
            <TableHead>{answer.group_title}</TableHead>
            <TableHead>Suggestion</TableHead>
            <TableHead className="text-right">Score</TableHead>
            <TableHead className="text-right">Adjusted p</TableHead>
            <TableHead>Markers expressed</TableHead>
            <TableHead>Next type</TableHead>
            <TableHead>Label</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {suggestions.map((suggestion) => (
            <SuggestionRow
              key={suggestion.group}
              suggestion={suggestion}
              parameters={parameters}
              name={names.ofColumn(parameters.groupby, suggestion.group)}
              label={labelOf(suggestion.group)}
              isChosen={chosen.has(suggestion.group)}
              onLabel={(label) => {
                setLabels(new Map(labels).set(suggestion.group, label));
                choose(suggestion.group, label.trim() !== '');
              }}
              onChoose={(on) => choose(suggestion.group, on)}
              onGenes={onGenes}
            />
          ))}
        </TableBody>
      </Table>
      <div className="bg-surface-2 sticky bottom-0 z-10 flex flex-wrap items-end gap-3 rounded-md p-2">
        {suggested.length > 0 && (
          <Button
            variant="secondary"
            size="sm"
            onClick={() => setChosen(new Set(suggested.filter((group) => labelOf(group).trim() !== '')))}
          >
            Choose all suggested
          </Button>
        )}
        <ApplyLabels
          dataset={dataset}
          column={parameters.groupby}
          title={answer.group_title}
          subset={source?.subset}
          groups={suggestions.flatMap(({ group }) =>
            chosen.has(group) && labelOf(group).trim() !== ''
              ? [{ of: group, group: labelOf(group).trim() }]
              : [],
          )}
          onApplied={() => setChosen(new Set())}
        />
      </div>
      {source !== null && (
        <DrawnFigure source={source} alt="Heatmap of the Cell Type Annotation" word="heatmap" />
      )}
    </div>
  );
}
