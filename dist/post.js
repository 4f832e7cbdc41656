import { post } from './index.js';
post();
