import type { MapColumnList } from '@cellfolio/contract';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Label } from '@/components/ui/form.tsx';
import { ChoiceField, NumberField } from '@/features/analyses/index.ts';
import { ColumnField, ColumnPicker, noColours, titleIn } from '@/features/map/index.ts';
import {
  type ComparisonForm,
  covariatesOf,
  numericCovariatesOf,
  pairingOf,
  pairings,
  sampleNumber,
} from './comparison-form.ts';

type DesignForm = Pick<ComparisonForm, 'covariates' | 'numericCovariates' | 'pairing' | 'minSampleCells'> &
  Partial<Pick<ComparisonForm, 'interaction' | 'randomEffect'>>;

interface DesignFieldsProps {
  columns: MapColumnList['obs'];
  form: DesignForm;
  onChange: (change: Partial<DesignForm>) => void;
  hasRandomEffect?: boolean;
  children?: ReactNode;
}

/** Same limit as the server's. */
const maxCovariates = 5;

export function DesignFields({
  columns,
  form,
  onChange,
  hasRandomEffect = false,
  children,
}: DesignFieldsProps) {
  const { field, step, ...parameter } = sampleNumber;
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border p-3">
      <legend className="px-1 text-[13px] font-medium">Design</legend>
      <CovariatesField columns={columns} form={form} onChange={onChange} />
      <ChoiceField
        label="Pairing"
        choices={pairings}
        value={pairingOf(form)}
        onChange={(pairing) => onChange({ pairing })}
        about="Compares samples on both sides with themselves. Automatic: if most samples are on both."
      />
      {form.interaction !== undefined && (
        <ColumnField
          label="Interaction"
          columns={columns}
          problemOf={noColours}
          chosen={form.interaction}
          none="None: A against B"
          onChoose={(interaction) => onChange({ interaction })}
        />
      )}
      {form.interaction !== undefined && form.interaction !== '' && (
        <p className="text-muted text-xs">
          Tests whether the difference between A and B changes with {titleIn(columns, form.interaction)}: its
          two labels, or each unit of its numbers.
        </p>
      )}
      {hasRandomEffect && form.randomEffect !== undefined && (
        <div className="flex min-w-0 flex-col gap-1.5">
          <ColumnField
            label="Random effect"
            columns={columns}
            chosen={form.randomEffect}
            none="None: samples are independent"
            onChoose={(randomEffect) => onChange({ randomEffect })}
          />
          <p className="text-muted text-xs">
            A column with several samples per value, such as the animal of four lanes: its samples are treated
            as correlated (duplicateCorrelation). Summing by animal (choose the column under Samples) is
            safer.
          </p>
        </div>
      )}
      <NumberField
        parameter={parameter}
        step={step}
        value={form[field]}
        onChange={(value) => onChange({ [field]: value })}
      />
      {children}
    </fieldset>
  );
}

export function CovariatesField({
  columns,
  form,
  onChange,
}: {
  columns: MapColumnList['obs'];
  form: Pick<DesignForm, 'covariates' | 'numericCovariates'>;
  onChange: (change: Partial<Pick<DesignForm, 'covariates' | 'numericCovariates'>>) => void;
}) {
  const id = useId();
  const chosen = covariatesOf(form);
  const numeric = numericCovariatesOf(form).numeric_covariates ?? [];
  const change = (covariates: readonly string[]) => onChange({ covariates: JSON.stringify(covariates) });
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
                  numericCovariates: JSON.stringify(
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
