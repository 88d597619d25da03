import type { MapColumnList } from '@cellfolio/contract';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Label } from '@/components/ui/form.tsx';
import { ColumnPicker, noColours, titleIn } from '@/features/map/index.ts';

/** JSON lists of columns of obs; the second one has those of the first that are quantities. */
interface CovariatesForm {
  covariates: string;
  numericCovariates: string;
}

/** Same limit as the server's. */
const maxCovariates = 5;

export function CovariatesField({
  columns,
  form,
  onChange,
}: {
  columns: MapColumnList['obs'];
  form: CovariatesForm;
  onChange: (change: Partial<CovariatesForm>) => void;
}) {
  const id = useId();
  const chosen = columnsIn(form.covariates);
  const numeric = columnsIn(form.numericCovariates).filter((column) => chosen.includes(column));
  const listText = (list: readonly string[]) => (list.length === 0 ? '' : JSON.stringify(list));
  const change = (covariates: readonly string[]) =>
    onChange({
      covariates: JSON.stringify(covariates),
      numericCovariates: listText(numeric.filter((column) => covariates.includes(column))),
    });
  return (
    <div role="group" aria-labelledby={id} className="flex min-w-0 flex-col gap-1.5">
      <p id={id} className="text-sm font-medium">
        Covariates
      </p>
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {chosen.map((name) => {
            const title = titleIn(columns, name);
            return (
              <li
                key={name}
                className="bg-surface-2 flex max-w-full min-w-0 items-center rounded-md pl-2 text-[13px]"
              >
                <MiddleTruncated text={title} />
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={`Remove the covariate ${title}`}
                  onClick={() => change(chosen.filter((other) => other !== name))}
                >
                  <X aria-hidden />
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {chosen
        .filter((name) => columns.some((column) => column.name === name && column.kind === 'levels'))
        .map((name) => (
          <div key={name} className="flex items-center gap-2">
            <Checkbox
              id={`${id}-${name}`}
              checked={numeric.includes(name)}
              onCheckedChange={(next) =>
                onChange({
                  numericCovariates: listText(
                    next === true ? [...numeric, name] : numeric.filter((other) => other !== name),
                  ),
                })
              }
            />
            <Label htmlFor={`${id}-${name}`}>{titleIn(columns, name)} is numeric, even with few values</Label>
          </div>
        ))}
      {chosen.length < maxCovariates && (
        <ColumnPicker
          label="Covariates"
          columns={columns}
          problemOf={(column) =>
            noColours(column) ?? (chosen.includes(column.name) ? 'chosen already' : undefined)
          }
          chosen={undefined}
          onChoose={(column) => column !== undefined && change([...chosen, column])}
        >
          <Button variant="secondary" size="sm" className="self-start">
            <Plus aria-hidden />
            Add a covariate
          </Button>
        </ColumnPicker>
      )}
      <p className="text-muted text-xs">
        Columns that describe samples, such as batch, sex or age: their effects are removed. Columns with few
        whole numbers count as categories.
      </p>
    </div>
  );
}

function columnsIn(list: string): string[] {
  try {
    const read: unknown = JSON.parse(list);
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
