export { engine, fixedMemory, type WasmMemory, type WasmModule } from './engine.ts';
export { crc32cModule, rankModule, tallyModule } from './modules.ts';
