import { MapStore, type SelectionActions } from '@/features/map/index.ts';

const store = new MapStore();
export const mapStores = () => store;

export const noActions: SelectionActions = {
  save: () => Promise.reject(new Error('Nothing is saved here.')),
  keep: () => Promise.reject(new Error('Nothing is kept here.')),
  showOthers: async () => {},
  compare: async () => {},
  label: () => null,
};
