// Stands in dist/ for @actions/http-client, which @actions/core has for tokens of OpenID Connect, and @actions/github for
// a proxy. Nobody asks for the one, and our connections to GitHub know proxies themselves (src/http/pool.ts). It would
// load Node's HTTP, HTTPS and assertions, for 10 ms before a preview's first request to GitHub.
module.exports = {
  HttpClient: class HttpClient {
    getAgent() {}
    getAgentDispatcher() {}
  },
  BearerCredentialHandler: class BearerCredentialHandler {},
};
