import { calledTerms, type GroupTerm, maxCalledNames } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';

const none: ReadonlyMap<string, GroupTerm> = new Map();

/** Terms of the Cell Ontology that names are, by name; those of no term have none. */
export function useCalledTerms(names: Iterable<string>): ReadonlyMap<string, GroupTerm> {
  const { api } = useServices();
  const distinct = [...new Set(names)].sort().slice(0, maxCalledNames);
  const { data = none } = useQuery({
    queryKey: ['called-terms', distinct],
    enabled: distinct.length > 0,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, GroupTerm>> => {
      const { terms } = await api({
        path: '/api/ontology-terms/called',
        body: { ontology: 'CL', names: distinct },
        answer: calledTerms,
        signal,
      });
      return new Map(terms.map(({ name, id, label }) => [name, { id, label }]));
    },
  });
  return data;
}
