if (process.env.STATE_reported !== 'true') await (await import('./index.js')).post();
