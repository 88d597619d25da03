import { cellModelAnswer, cellModelRequest, cellModels } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices, watched } from '../selection/index.ts';
import { type CellModelDeps, classifyCells } from './classification-answer.ts';
import type { ModelFiles } from './model-files.ts';

export interface CellModelServices extends SelectionServices, CellModelDeps {
  readonly cellModels: ModelFiles;
}

const postClassifyCells: Route<CellModelServices> = async (app, { services }) => {
  app.post(
    '/api/classify-cells',
    {
      schema: {
        summary: 'Classify cells by a trained model, with a vote of each group of a column',
        tags: ['analyses'],
        body: cellModelRequest,
        response: { 200: cellModelAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => classifyCells(services, selection, parameters, call),
        { cells },
      );
    },
  );
};

const getCellModels: Route<CellModelServices> = async (app, { services }) => {
  app.get(
    '/api/cell-models',
    {
      schema: {
        summary: 'List the models that cells can be classified by',
        tags: ['analyses'],
        response: { 200: cellModels },
      },
    },
    async (request) => watched(services, request, (call) => services.cellModels.all(call)),
  );
};

export const cellModelRoutes = [postClassifyCells, getCellModels];
