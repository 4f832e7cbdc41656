if (Number.parseInt(process.versions.node, 10) < 24) {
  console.log(`::error title=Node is too old::This action needs Node 24 or newer, but this is Node ${process.versions.node}. Update the runner, which includes Node.`);
  process.exitCode = 1;
} else require('./index.js').main('message');
