export { type ChartAxis, type ChartPoints, chartScales, type Tones } from './chart-points.ts';
export { PointsChart, type Select } from './points-chart.tsx';
export type { ChartThreshold } from './threshold-line.tsx';
