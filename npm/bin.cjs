#!/usr/bin/env node
// What an older Node can parse too: the bundle is loaded only by one that can run it.
const oldest = 24;
if (Number.parseInt(process.versions.node, 10) < oldest) {
  process.stderr.write(
    `site-deploy needs Node ${oldest} or newer, but this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else if (!require('node:fs').existsSync(`${__dirname}/lib`)) {
  process.stderr.write(
    'site-deploy is not built: in this clone, run npm ci, then npm pack in npm/.\n',
  );
  process.exitCode = 2;
} else void import('./lib/code/main.js');
