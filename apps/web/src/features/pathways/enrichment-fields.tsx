import { geneSetAttribution } from '@cellfolio/contract';
import { useId, useMemo } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Field, Label, Textarea } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { PullLibraries, useGeneSetLibraries } from '@/features/gene-sets/index.ts';
import { counted } from '@/lib/format.ts';
import { EnrichmentBackgroundFields } from './enrichment-background-fields.tsx';
import type { EnrichmentForm } from './enrichment-form.ts';
import { defaultLibrary, readGeneList } from './enrichment-form.ts';

interface EnrichmentFieldsProps {
  form: EnrichmentForm;
  onChange: (change: Partial<EnrichmentForm>) => void;
}

/** Parameters of a gene set enrichment analysis. */
export function EnrichmentFields({ form, onChange }: EnrichmentFieldsProps) {
  const id = useId();
  const libraries = useGeneSetLibraries();
  const genes = useMemo(() => readGeneList(form.genes), [form.genes]);
  const choices = libraries.data?.libraries ?? [];
  const library = choices.some(({ name }) => name === form.library) ? form.library : defaultLibrary;
  const chosen = choices.find(({ name }) => name === library);
  return (
    <>
      <Field
        label="Genes"
        hint={`${counted(genes.length, 'unique gene')}. Separate them by commas, or paste a list.`}
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
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-library`}>Library</Label>
        <Select
          value={library}
          onValueChange={(value) => onChange({ library: value })}
          disabled={libraries.isPending}
        >
          <SelectTrigger id={`${id}-library`} aria-describedby={`${id}-about`}>
            <SelectValue placeholder={libraries.isPending ? 'Loading libraries...' : library} />
          </SelectTrigger>
          <SelectContent>
            {(choices.length > 0 ? choices : [{ name: library, label: '' }]).map(({ name, label }) => (
              <SelectItem key={name} value={name}>
                {name}
                {label !== '' && <span className="text-muted ml-1 text-xs">({label})</span>}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
        <p id={`${id}-about`} className="text-muted text-xs">
          {libraries.isError ? (
            <>
              The list of libraries could not be loaded.{' '}
              <Button
                variant="link"
                size="inline"
                className="text-xs"
                onClick={() => void libraries.refetch()}
              >
                Try again
              </Button>
            </>
          ) : chosen === undefined ? (
            ' '
          ) : (
            <>
              {counted(chosen.set_count, 'gene set')}
              {chosen.source === 'starter' && `, ${chosen.label}: for a first look, not for a paper`}.{' '}
              {geneSetAttribution({ ...chosen, citation: '' })}
            </>
          )}
        </p>
        {libraries.data?.may_pull === true && <PullLibraries />}
      </div>
      <EnrichmentBackgroundFields form={form} onChange={onChange} />
    </>
  );
}
