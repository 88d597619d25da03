export { articleRoutes } from './article-routes.tsx';
export { articles } from './articles.ts';
