// Stands in dist/ for Node's own module of this name, which is needed only once something is wrong.
module.exports = (value, message) => value || require('node:assert')(value, message);
