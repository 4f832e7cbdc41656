import { ledgerCache } from './index.js';
await ledgerCache();
