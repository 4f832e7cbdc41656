// Stands in dist/ for the whole of undici, which GitHub's client asks for as soon as it is loaded, for requests of its
// own. It makes none here: ours to GitHub have a fetch and connections that are loaded by parts (src/http/). It would be
// an eighth of what a runner downloads.
module.exports = {
  fetch: async () => {
    throw new Error('undici is here by parts alone: give a fetch of your own');
  },
};
