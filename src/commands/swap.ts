// One file for all that a swap loads: what is imported by several calls would be bundled once for each.
export { confirmIdle, endSwap } from './swap/end-swap.ts';
export { findIdle } from './swap/find-idle.ts';
export { planSwap } from './swap/plan-swap.ts';
