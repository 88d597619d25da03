import { type DatasetAnalysis, geneSetAttribution, plainLibraryName, speciesName } from '@cellfolio/contract';
import { useId } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { PullLibraries, useGeneSetLibraries } from '@/features/gene-sets/gene-set-libraries.tsx';
import { plural } from '@/lib/format.ts';
import { GeneNoteLine } from '@/lib/gene-species.tsx';
import { defaultLibrary, libraryNote } from './enrichment-form.ts';

interface LibraryFieldProps {
  analysis: Pick<DatasetAnalysis, 'species'>;
  /** Species of the dataset as chosen; empty to detect it. */
  species: string;
  /** Name of the chosen library; the default replaces one that no longer exists. */
  library: string;
  onChange: (library: string) => void;
}

export function LibraryField({ analysis, species, library: requestedLibrary, onChange }: LibraryFieldProps) {
  const id = useId();
  const libraries = useGeneSetLibraries();
  const choices = libraries.data?.libraries ?? [];
  const library = choices.some(({ name }) => name === requestedLibrary) ? requestedLibrary : defaultLibrary;
  const chosen = choices.find(({ name }) => name === library);
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={`${id}-library`}>Library</Label>
      <Select value={library} onValueChange={(value) => onChange(value)} disabled={libraries.isPending}>
        <SelectTrigger id={`${id}-library`} aria-describedby={`${id}-about`}>
          <SelectValue
            placeholder={libraries.isPending ? 'Loading libraries...' : plainLibraryName(library)}
          />
        </SelectTrigger>
        <SelectContent>
          {(choices.length > 0 ? choices : [{ name: library, title: plainLibraryName(library) }]).map(
            ({ name, title }) => (
              <SelectItem key={name} value={name}>
                {title}
              </SelectItem>
            ),
          )}
        </SelectContent>
      </Select>
      <p id={`${id}-about`} className="text-muted text-xs">
        {libraries.isError ? (
          <>
            The list of libraries could not be loaded.{' '}
            <Button variant="link" size="inline" className="text-xs" onClick={() => void libraries.refetch()}>
              Try again
            </Button>
          </>
        ) : chosen === undefined ? (
          ' '
        ) : (
          <>
            {plural(chosen.set_count, 'gene set')}
            {chosen.source === 'starter' && ', for a first look only'}.{' '}
            {geneSetAttribution({ ...chosen, citation: '' })}
          </>
        )}
      </p>
      <GeneNoteLine note={libraryNote(analysis, { library, species })} />
      {libraries.data?.may_pull === true && <PullLibraries />}
    </div>
  );
}

/** For the rare dataset whose gene names mislead the detection. */
export function SpeciesField({
  species,
  onChange,
}: {
  species: string;
  onChange: (species: string) => void;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id} className="text-xs">
        Species of the Dataset
      </Label>
      <Select
        value={species === '' ? 'detect' : species}
        onValueChange={(value) => onChange(value === 'detect' ? '' : value)}
      >
        <SelectTrigger id={id}>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value="detect">Detect</SelectItem>
          {speciesName.options.map((name) => (
            <SelectItem key={name} value={name}>
              {name[0]?.toUpperCase()}
              {name.slice(1)}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}
