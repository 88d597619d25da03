import type { DatasetAnalysis } from '@cellfolio/contract';
import { pairSets } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { ListField, NumberFields } from '@/features/analyses/index.ts';
import { GroupsField } from '@/features/markers/index.ts';
import { useServices } from '@/lib/services.ts';
import { type LigandReceptorForm, ligandReceptorNumbers, ownPairsProblem } from './ligand-receptor-form.ts';

interface LigandReceptorFieldsProps {
  analysis: DatasetAnalysis;
  form: LigandReceptorForm;
  onChange: (change: Partial<LigandReceptorForm>) => void;
}

export function LigandReceptorFields({ analysis, form, onChange }: LigandReceptorFieldsProps) {
  return (
    <>
      <GroupsField analysis={analysis} form={form} onChange={onChange} />
      <PairsField analysis={analysis} form={form} onChange={onChange} />
      <NumberFields numbers={ligandReceptorNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        A pair is tested if enough cells of one group express the ligand and enough of another, or the same,
        the receptor. Cell labels are permuted; p is the share of permutations with a mean at least as high,
        and the same seed gives the same result.
      </p>
    </>
  );
}

function PairsField({ analysis, form, onChange }: LigandReceptorFieldsProps) {
  const { api } = useServices();
  const offered = useQuery({
    queryKey: ['ligand-receptor-pairs'],
    queryFn: ({ signal }) => api({ path: '/api/ligand-receptor-pairs', answer: pairSets, signal }),
    staleTime: 3_600_000,
    select: ({ sets }) => sets.map(({ pair_count: count, ...set }) => ({ ...set, count })),
  });
  return (
    <ListField
      species={analysis.species}
      label="Pairs"
      entry="pair"
      lists="sets of pairs"
      offered={offered}
      value={form.pairs}
      onChange={(pairs) => onChange({ pairs })}
      own={{
        label: 'List of pairs',
        fileLabel: 'File of pairs',
        about: 'Gene names as in the dataset; join subunits of a complex by + or _.',
        placeholder: 'ligand,receptor\nCXCL12,CXCR4\nICAM1,ITGAL+ITGB2',
        text: form.ownPairs,
        onText: (ownPairs) => onChange({ ownPairs }),
        problem: ownPairsProblem(form),
      }}
    />
  );
}
