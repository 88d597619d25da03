export { MapOrders } from './map-orders.ts';
