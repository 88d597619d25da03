import type { CellxgeneCheck, CellxgeneCuration, CuratedField } from '@cellfolio/contract';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { columnListQuery } from '@/features/map/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { CuratedValue, shownValue } from './curated-value.tsx';

type FieldCheck = CellxgeneCheck['fields'][number];

interface CuratedFieldRowProps {
  field: CuratedField;
  organism: string;
  check: FieldCheck;
  choice: CellxgeneCuration | undefined;
  dataset: { filename: string; version: string };
  isOpen: boolean;
  onToggle: () => void;
  onChange: (choice: CellxgeneCuration | undefined) => void;
}

export function CuratedFieldRow(props: CuratedFieldRowProps) {
  const { field, check, isOpen, onToggle } = props;
  const id = useId();
  return (
    <li className="flex flex-col gap-2 px-3 py-2">
      <div className="flex items-start gap-2">
        <StateIcon isMissing={check.problems > 0} />
        <span className="w-44 shrink-0 font-medium">{field.title}</span>
        <span className="text-muted min-w-0 flex-1 wrap-anywhere">{stateOf(check)}</span>
        {check.fixed === null && (
          <Button
            variant="secondary"
            size="xs"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`${field.title}: ${check.problems > 0 ? 'fill in' : 'change'}`}
            onClick={onToggle}
          >
            {check.problems > 0 ? 'Fill in' : 'Change'}
          </Button>
        )}
      </div>
      {isOpen && check.fixed === null && (
        <div id={id} className="flex flex-col gap-2 pb-1 pl-6">
          <p className="text-muted text-xs">{field.hint.replaceAll('`', '')}</p>
          <FieldEditor {...props} />
        </div>
      )}
    </li>
  );
}

function stateOf({ fixed, column, values, more, problems }: FieldCheck): string {
  if (fixed !== null) return `“${fixed}” for all cells of this organism`;
  const from = column === null ? '' : ` from ${column}`;
  const [only] = values;
  if (problems > 0 && column === null && only?.value === null) return 'No value yet';
  if (problems > 0) {
    const first = values.find(({ problem }) => problem !== null);
    const reason =
      first === undefined ? '' : `: ${first.label === '' ? '' : `${first.label}: `}${first.problem}`;
    return `${plural(problems, 'cell')} without an allowed value${from}${reason}`;
  }
  if (values.length === 1 && only) return `${shownValue(only)} for all cells${from}`;
  return `${plural(values.length + more, 'value')}${from}`;
}

/** One value for all cells, or one for each label of a column. */
function FieldEditor({ field, organism, check, choice, dataset, onChange }: CuratedFieldRowProps) {
  const id = useId();
  const { api } = useServices();
  const columns =
    useQuery(columnListQuery(api, dataset)).data?.obs.filter(({ kind }) => kind === 'categories') ?? [];
  const byColumn = choice ? 'column' in choice : check.column !== null;
  const kinds = [
    { value: 'all', label: 'One value for all cells' },
    { value: 'column', label: 'A value for each label of a column' },
  ];
  const change = (kind: string) => {
    const column = check.column ?? columns[0]?.name;
    if (kind === 'column' && column !== undefined) onChange({ column, values: {} });
    if (kind === 'all') onChange({ all: check.values[0]?.value || firstValue(field) });
  };
  const chosen = choice && 'column' in choice ? choice : { column: check.column ?? '', values: {} };
  return (
    <>
      <RadioGroup
        aria-label={`Values of ${field.title}`}
        className="flex flex-wrap gap-x-4 gap-y-1"
        value={byColumn ? 'column' : 'all'}
        onValueChange={change}
      >
        {kinds.map(({ value, label }) => (
          <div key={value} className="flex items-center gap-2">
            <RadioGroupItem
              id={`${id}-${value}`}
              value={value}
              disabled={value === 'column' && columns.length === 0}
            />
            <Label htmlFor={`${id}-${value}`} className="text-[13px] font-normal">
              {label}
            </Label>
          </div>
        ))}
      </RadioGroup>
      {byColumn ? (
        <>
          <Select value={chosen.column} onValueChange={(column) => onChange({ column, values: {} })}>
            <SelectTrigger data-size="sm" className="max-w-80" aria-label={`Column of ${field.title}`}>
              <SelectValue />
            </SelectTrigger>
            <SelectContent>
              {columns.map(({ name, title }) => (
                <SelectItem key={name} value={name}>
                  {title}
                </SelectItem>
              ))}
            </SelectContent>
          </Select>
          {field.values === 'any' ? (
            <p className="text-muted text-xs">The labels of the column are used as they are.</p>
          ) : (
            <LabelValues
              field={field}
              organism={organism}
              check={check}
              onChange={(label, value) =>
                onChange({ column: chosen.column, values: { ...chosen.values, [label]: value } })
              }
            />
          )}
        </>
      ) : (
        <CuratedValue
          label={field.title}
          field={field}
          organism={organism}
          value={choice && 'all' in choice ? choice.all : null}
          term={check.values[0]?.term ?? null}
          onChange={(all) => onChange(all === '' ? undefined : { all })}
        />
      )}
    </>
  );
}

/** First value of a field of all cells, for the curator to change. */
function firstValue({ values, offered = {} }: CuratedField): string {
  return (Array.isArray(values) ? values[0] : undefined) ?? Object.keys(offered)[0] ?? 'unknown';
}

function LabelValues({
  field,
  organism,
  check: { values, more },
  onChange,
}: Pick<CuratedFieldRowProps, 'field' | 'organism' | 'check'> & {
  onChange: (label: string, value: string) => void;
}) {
  return (
    <div className="max-h-80 overflow-y-auto rounded-md border">
      <table className="w-full text-[13px]" aria-label={`Labels of ${field.title}`}>
        <thead className="text-muted bg-surface-2 text-left text-xs">
          <tr>
            <th scope="col" className="px-2 py-1 font-normal">
              Label
            </th>
            <th scope="col" className="px-2 py-1 text-right font-normal">
              Cells
            </th>
            <th scope="col" className="px-2 py-1 font-normal">
              Value
            </th>
          </tr>
        </thead>
        <tbody className="divide-border divide-y">
          {values.map(({ label, cells, value, term, isProposed, problem }) => (
            <tr key={label}>
              <th scope="row" className="px-2 py-1 text-left font-normal wrap-anywhere">
                {label === '' ? <span className="text-muted">no label</span> : label}
              </th>
              <td className="px-2 py-1 text-right tabular-nums">{formatCount(cells)}</td>
              <td className="px-2 py-1">
                <CuratedValue
                  label={label}
                  field={field}
                  organism={organism}
                  value={value}
                  term={term}
                  onChange={(next) => onChange(label, next)}
                />
                {problem !== null && <span className="text-warning block text-xs">{problem}</span>}
                {problem === null && isProposed && (
                  <span className="text-muted block text-xs">Found by its name</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="text-muted px-2 py-1 text-xs">{`${plural(more, 'more label')} with fewer cells`}</p>
      )}
    </div>
  );
}

export function StateIcon({ isMissing }: { isMissing: boolean }) {
  const Icon = isMissing ? CircleAlert : CircleCheck;
  return (
    <Icon
      aria-label={isMissing ? 'Missing' : 'Met'}
      className={`mt-0.5 size-4 shrink-0 ${isMissing ? 'text-warning' : 'text-success'}`}
    />
  );
}
