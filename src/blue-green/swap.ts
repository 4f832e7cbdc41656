// One file for all that a swap loads: what is imported by several calls would be bundled once for each.
export { confirmIdle, endSwap } from './end-swap.ts';
export { findIdle, planSwap } from './find-idle.ts';
