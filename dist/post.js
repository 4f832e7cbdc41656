if (Number.parseInt(process.versions.node, 10) < 24) {
  console.log(`::error title=Node is too old::This action needs Node 24 or newer, and this is Node ${process.versions.node}. GitHub's runner brings its own Node: update the runner, or whatever stands for it.`);
  process.exitCode = 1;
} else if (process.env.STATE_reported !== 'true') require('./index.js').post();
