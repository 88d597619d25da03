export {
  engine,
  fixedMemory,
  kernelOf,
  type KernelOnMemory,
  type WasmMemory,
  type WasmModule,
} from './engine.ts';
export { crc32cModule, nearModule, rankModule, sumsModule, tallyModule } from './modules.ts';
