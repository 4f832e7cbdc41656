import { cacheStore } from "file:///work/main/src/github/ledger-store/cache.ts";
const script = "/work/main/dist/ledger-cache.js";
const store = cacheStore({ environment: process.env, parts: ['p'], runId: '1', script });
const signal = new AbortController().signal;
const results = [await store.save('sealed', signal), await store.load(signal)];
process.exitCode = JSON.stringify(results) === '[null,{"text":"sealed"}]' ? 0 : 1;