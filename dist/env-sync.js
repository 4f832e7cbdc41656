import { main } from './index.js';
await main('env-sync');
