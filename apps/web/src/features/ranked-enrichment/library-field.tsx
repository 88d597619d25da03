import { type DatasetAnalysis, speciesName } from '@cellfolio/contract';
import { useId } from 'react';
import { Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { ListField, listSources } from '@/features/analyses/index.ts';
import { libraryNote } from '@cellfolio/analyses';

interface LibraryFieldProps {
  analysis: DatasetAnalysis;
  /** Species of the dataset as chosen; empty to detect it. */
  species: string;
  library: string;
  onChange: (library: string) => void;
}

export function LibraryField({ analysis, species, library, onChange }: LibraryFieldProps) {
  return (
    <ListField
      dataset={analysis}
      source={listSources['gene-sets']}
      label="Library"
      note={libraryNote({ library_name: library, species: species || undefined }, analysis)}
      value={library}
      onChange={onChange}
      own=""
      onOwn={() => {}}
    />
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
