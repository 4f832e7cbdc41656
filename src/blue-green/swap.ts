// One file for all that a swap loads: the bundler would copy what several dynamic imports share.
export { confirmIdle, endSwap } from './end-swap.ts';
export { findIdle, planSwap } from './find-idle.ts';
