export { Trajectories } from './trajectories.ts';
export { trajectoryInputs } from './trajectory-analysis.ts';
