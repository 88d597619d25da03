import type { DatasetAnalysis } from '@cellfolio/contract';
import { useId, useMemo } from 'react';
import { Field, Label, Textarea } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { NumberField } from '@/features/analyses/index.ts';
import { GeneListMenu } from '@/features/gene-lists/index.ts';
import { plural } from '@/lib/format.ts';
import { LibraryField, SpeciesField } from './library-field.tsx';
import type { EnrichmentForm } from './enrichment-form.ts';
import {
  backgroundChoices,
  enrichmentDefaults,
  enrichmentNumbers,
  ownBackgroundProblem,
  readGeneList,
} from './enrichment-form.ts';

interface EnrichmentFieldsProps {
  analysis: DatasetAnalysis;
  form: EnrichmentForm;
  onChange: (change: Partial<EnrichmentForm>) => void;
}

export function EnrichmentFields({ analysis, form, onChange }: EnrichmentFieldsProps) {
  return (
    <>
      <GenesField form={form} onChange={onChange} />
      <LibraryField
        analysis={analysis}
        species={form.species}
        library={form.library}
        onChange={(library) => onChange({ library })}
      />
      <EnrichmentBackgroundFields form={form} onChange={onChange} />
    </>
  );
}

function GenesField({ form, onChange }: Omit<EnrichmentFieldsProps, 'analysis'>) {
  const genes = useMemo(() => readGeneList(form.genes), [form.genes]);
  return (
    <div className="relative">
      <Field
        label="Genes"
        hint={`${plural(genes.length, 'unique gene')}. Separate them by commas, or paste a list.`}
      >
        {(control) => (
          <Textarea
            {...control}
            value={form.genes}
            placeholder="CD3D, CD3E, LCK, CD2"
            spellCheck={false}
            autoCapitalize="characters"
            className="max-h-48 min-h-20 text-[13px]"
            onChange={(event) => onChange({ genes: event.target.value })}
          />
        )}
      </Field>
      <div className="absolute -top-1 right-0">
        <GeneListMenu
          label="Genes"
          genes={genes}
          onChoose={(list) => onChange({ genes: [...new Set([...genes, ...list.genes])].join(', ') })}
        />
      </div>
    </div>
  );
}

interface EnrichmentBackgroundFieldsProps {
  form: EnrichmentForm;
  onChange: (change: Partial<EnrichmentForm>) => void;
}

function EnrichmentBackgroundFields({ form, onChange }: EnrichmentBackgroundFieldsProps) {
  const id = useId();
  const chosen = backgroundChoices.find(({ value }) => value === form.background) ?? backgroundChoices[0];
  const number = (field: keyof typeof enrichmentNumbers, label: string, step: number) => (
    <NumberField
      parameter={enrichmentNumbers[field]}
      label={label}
      step={step}
      value={form[field]}
      onChange={(value) => onChange({ [field]: value })}
    />
  );
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-background`}>Background</Label>
        <Select value={chosen.value} onValueChange={(background) => onChange({ background })}>
          <SelectTrigger id={`${id}-background`} aria-describedby={`${id}-background-about`}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {backgroundChoices.map(({ value, label }) => (
              <SelectItem key={value} value={value}>
                {label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        <p
          id={`${id}-background-about`}
          className={chosen.value === 'dataset' ? 'text-warning text-xs' : 'text-muted text-xs'}
        >
          {chosen.about}
        </p>
      </div>
      {chosen.value === 'expressed' && (
        <div className="grid grid-cols-2 items-start gap-2">
          {number('minimumShare', 'Minimum % of Cells', 0.5)}
          {number('minimumCells', 'Minimum Cells', 1)}
        </div>
      )}
      {chosen.value === 'own' && (
        <Field
          label="Background Genes"
          hint={`${plural(readGeneList(form.ownBackground).length, 'unique gene')}.`}
          error={form.ownBackground === '' ? undefined : ownBackgroundProblem(form)}
        >
          {(control) => (
            <Textarea
              {...control}
              value={form.ownBackground}
              spellCheck={false}
              autoCapitalize="characters"
              className="max-h-48 min-h-20 text-[13px]"
              onChange={(event) => onChange({ ownBackground: event.target.value })}
            />
          )}
        </Field>
      )}
      <div className="grid grid-cols-2 items-start gap-2">
        {number('minimumOverlap', 'Minimum Overlap', 1)}
        <SpeciesField species={form.species} onChange={(species) => onChange({ species })} />
      </div>
      <p className="text-muted text-xs">
        Sets that share fewer than {form.minimumOverlap || enrichmentDefaults.minimumOverlap} genes with the
        list are not reported, but count in the adjustment of the p-values.
      </p>
    </>
  );
}
