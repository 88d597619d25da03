import { unclear, type FigureSource } from '@cellfolio/contract';
import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ComponentType, type ReactNode, useId, useState } from 'react';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { useCalledTerms } from '@/features/annotations/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { cn } from '@/lib/cn.ts';
import { formatCount } from '@/lib/format.ts';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Input } from '@/components/ui/form.tsx';
import { ApplyLabels } from './apply-labels.tsx';

interface SuggestedLabelsProps<Suggestion, Parameters> {
  suggestions: readonly Suggestion[];
  parameters: Parameters;
  title: string;
  headings: readonly [string, string, string];
  subset: ComponentProps<typeof ApplyBar>['subset'];
  dataset: { filename: string; version: string };
  onGenes: (genes: readonly string[]) => void;
  Row: ComponentType<SuggestionRowProps<Suggestion, Parameters>>;
}

export interface SuggestionRowProps<Suggestion, Parameters> {
  suggestion: Suggestion;
  parameters: Parameters;
  name: string;
  labels: GroupLabels;
  onGenes: (genes: readonly string[]) => void;
}

export function SuggestedLabels<
  Suggestion extends { group: string; suggestion: string | null },
  Parameters extends { groupby: string },
>({ suggestions, title, headings, subset, Row, ...shown }: SuggestedLabelsProps<Suggestion, Parameters>) {
  const { dataset, parameters, onGenes } = shown;
  const names = useCategoryNames(dataset.filename);
  const labels = useGroupLabels(suggestions);
  return (
    <>
      <SuggestionTable title={title} headings={headings}>
        {suggestions.map((suggestion) => (
          <Row
            key={suggestion.group}
            suggestion={suggestion}
            parameters={parameters}
            name={names.ofColumn(parameters.groupby, suggestion.group)}
            labels={labels}
            onGenes={onGenes}
          />
        ))}
      </SuggestionTable>
      <ApplyBar labels={labels} dataset={dataset} column={parameters.groupby} title={title} subset={subset} />
    </>
  );
}

interface SuggestionTableProps {
  title: string;
  headings: readonly [string, string, string];
  children: ReactNode;
}

function SuggestionTable({ title, headings: [one, other, evidence], children }: SuggestionTableProps) {
  return (
    <Table aria-label="Suggested cell types">
      <TableHeader>
        <TableRow>
          <TableHead>
            <span className="sr-only">Apply</span>
          </TableHead>
          <TableHead>{title}</TableHead>
          <TableHead>Suggestion</TableHead>
          <TableHead className="text-right">{one}</TableHead>
          <TableHead className="text-right">{other}</TableHead>
          <TableHead>{evidence}</TableHead>
          <TableHead>Next type</TableHead>
          <TableHead>Label</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>{children}</TableBody>
    </Table>
  );
}

interface GroupRowProps {
  group: string;
  /** The user's label of the group; empty for a category without a name. */
  name: string;
  cells: number;
  /** Null for Unclear. */
  suggestion: string | null;
  best: string | undefined;
  reasons: readonly string[];
  conflict?: string | undefined;
  numbers: readonly [string, string];
  opener?: { text: ReactNode; label: (called: string) => string; disabled?: boolean } | undefined;
  next: ReactNode;
  labels: GroupLabels;
  children: ReactNode;
}

export function GroupRow(props: GroupRowProps) {
  const { group, name, cells, numbers, opener, next, labels, children } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const called = name === '' ? '(no name)' : name;
  return (
    <>
      <TableRow className={cn(isOpen && 'border-b-0')}>
        <TableCell>
          <GroupCheckbox labels={labels} group={group} called={called} />
        </TableCell>
        <TableHead scope="row" className="text-left">
          {called} <span className="text-muted font-normal tabular-nums">({formatCount(cells)})</span>
        </TableHead>
        <TableCell>
          <Suggested {...props} />
        </TableCell>
        <TableCell className="text-right tabular-nums">{numbers[0]}</TableCell>
        <TableCell className="text-right tabular-nums">{numbers[1]}</TableCell>
        <TableCell>
          {opener && (
            <Button
              variant="ghost"
              size="xs"
              aria-expanded={isOpen}
              aria-controls={id}
              aria-label={opener.label(called)}
              disabled={opener.disabled === true}
              onClick={() => setOpen(!isOpen)}
            >
              {opener.text}
              <ChevronDown aria-hidden className={cn('size-3.5', isOpen && 'rotate-180')} />
            </Button>
          )}
        </TableCell>
        <TableCell className="text-muted max-w-56 wrap-anywhere">{next}</TableCell>
        <TableCell>
          <GroupLabelInput labels={labels} group={group} called={called} />
        </TableCell>
      </TableRow>
      {isOpen && (
        <TableRow>
          <TableCell colSpan={8} id={id}>
            <div className="flex flex-wrap gap-x-8 gap-y-3 pl-8">{children}</div>
          </TableCell>
        </TableRow>
      )}
    </>
  );
}

function Suggested({ suggestion, best, reasons, conflict, labels }: GroupRowProps) {
  const term = suggestion === null ? undefined : labels.termOf(suggestion);
  return (
    <div className="flex min-w-44 flex-col gap-0.5">
      {suggestion === null ? (
        <span className="flex flex-wrap items-center gap-1.5">
          <Badge>{unclear}</Badge>
          {best !== undefined && <span className="text-muted text-xs">best: {best}</span>}
        </span>
      ) : (
        <span className="font-medium">{suggestion}</span>
      )}
      {term !== undefined && (
        <span className="text-muted text-xs" title={`Cell Ontology: ${term.label} (${term.id})`}>
          {term.label.toLowerCase() !== suggestion?.toLowerCase() && `${term.label} `}
          <span className="whitespace-nowrap tabular-nums">{term.id}</span>
        </span>
      )}
      {reasons.map((reason) => (
        <span key={reason} className="text-muted text-xs">
          {reason}
        </span>
      ))}
      {conflict !== undefined && <span className="text-warning text-xs">also looks like {conflict}</span>}
    </div>
  );
}

/** A group with its suggested type; null for none. */
interface SuggestedGroup {
  group: string;
  suggestion: string | null;
}

function useGroupLabels(suggestions: readonly SuggestedGroup[]) {
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(
    () => new Map(suggestions.map(({ group, suggestion }) => [group, suggestion ?? ''])),
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // A label that is written here has the term of a suggestion only while it is called so.
  const terms = useCalledTerms(suggestions.flatMap(({ suggestion }) => suggestion ?? []));
  const labelOf = (group: string) => labels.get(group) ?? '';
  const hasLabel = (group: string) => labelOf(group).trim() !== '';
  const choose = (group: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(group);
    else next.delete(group);
    setChosen(next);
  };
  return {
    termOf: (name: string) => terms.get(name),
    labelOf,
    isChosen: (group: string) => chosen.has(group),
    choose,
    setLabel: (group: string, label: string) => {
      setLabels(new Map(labels).set(group, label));
      choose(group, label.trim() !== '');
    },
    hasSuggested: suggestions.some(({ suggestion }) => suggestion !== null),
    chooseSuggested: () =>
      setChosen(
        new Set(
          suggestions.flatMap(({ group, suggestion }) =>
            suggestion !== null && hasLabel(group) ? [group] : [],
          ),
        ),
      ),
    chooseNone: () => setChosen(new Set()),
    labelled: suggestions.flatMap(({ group }) => {
      const label = labelOf(group).trim();
      const term = terms.get(label);
      return chosen.has(group) && label !== '' ? [{ of: group, group: label, ...(term && { term }) }] : [];
    }),
  };
}

type GroupLabels = ReturnType<typeof useGroupLabels>;

interface GroupLabelProps {
  labels: GroupLabels;
  group: string;
  called: string;
}

function GroupCheckbox({ labels, group, called }: GroupLabelProps) {
  return (
    <Checkbox
      aria-label={`Apply the label of ${called}`}
      checked={labels.isChosen(group)}
      disabled={labels.labelOf(group).trim() === ''}
      onCheckedChange={(on) => labels.choose(group, on === true)}
    />
  );
}

function GroupLabelInput({ labels, group, called }: GroupLabelProps) {
  return (
    <Input
      aria-label={`Label of ${called}`}
      className="h-8 w-48 text-[13px]"
      maxLength={200}
      placeholder="No label"
      value={labels.labelOf(group)}
      onChange={(event) => labels.setLabel(group, event.target.value)}
    />
  );
}

interface ApplyBarProps {
  labels: GroupLabels;
  dataset: { filename: string; version: string };
  column: string;
  title: string;
  subset: FigureSource['subset'];
}

function ApplyBar({ labels, dataset, column, title, subset }: ApplyBarProps) {
  return (
    <div className="bg-surface-2 sticky bottom-0 z-10 flex flex-wrap items-end gap-3 rounded-md p-2">
      {labels.hasSuggested && (
        <Button variant="secondary" size="sm" onClick={labels.chooseSuggested}>
          Choose all suggested
        </Button>
      )}
      <ApplyLabels
        dataset={dataset}
        column={column}
        suggestion={`Cell types of ${title}`}
        subset={subset}
        groups={labels.labelled}
        onApplied={labels.chooseNone}
      />
    </div>
  );
}
