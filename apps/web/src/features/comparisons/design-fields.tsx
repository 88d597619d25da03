import type { MapColumnList } from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { ChoiceField, NumberField } from '@/features/analyses/index.ts';
import { ColumnField, noColours, titleIn } from '@/features/map/index.ts';
import { CovariatesField } from '@/features/sample-design/index.ts';
import { type ComparisonForm, pairingOf, pairings, sampleNumber } from './comparison-form.ts';

type DesignForm = Pick<ComparisonForm, 'covariates' | 'numericCovariates' | 'pairing' | 'minSampleCells'> &
  Partial<Pick<ComparisonForm, 'interaction' | 'randomEffect'>>;

interface DesignFieldsProps {
  columns: MapColumnList['obs'];
  form: DesignForm;
  onChange: (change: Partial<DesignForm>) => void;
  hasRandomEffect?: boolean;
  children?: ReactNode;
}

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
