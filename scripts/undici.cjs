// Stands in dist/ for the whole of undici, which GitHub's packages ask for as soon as they are loaded, for requests of
// their own. They make none here: ours to GitHub have a fetch and connections that are loaded by parts (src/http/). It
// would be an eighth of what a runner downloads.
module.exports = {
  fetch: async () => {
    throw new Error('undici is here by parts alone: give a fetch of your own');
  },
  /** With a proxy in the environment one is made at once. It is not asked for anything. */
  ProxyAgent: class ProxyAgent {},
};
