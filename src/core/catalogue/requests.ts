import type { Topic } from './entry.ts';

/** What went wrong with a request to the service, by code. */
export const requests = {
  title: 'Requests to the service',
  intro:
    'A request that the service refused or did not answer. Reads, and writes that do no harm when they are repeated, were tried again before.',
  entries: {
    SD3001: {
      title: 'The service cannot be reached',
      meaning:
        "No connection could be opened, so nothing was sent. The code in brackets is the system's own, such as `ECONNREFUSED`.",
      remedy:
        "Check `base-url`, and whether the runner can reach it: DNS, a firewall, `http_proxy` and `https_proxy`. A self-hosted runner may need the service's certificate in `NODE_EXTRA_CA_CERTS`.",
      example:
        "Could not read the project's environment: GET /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment: no connection: nothing listens at that address (ECONNREFUSED). Nothing was sent. Check base-url, and whether the runner can reach it (DNS, firewall, http_proxy and https_proxy).",
    },
    SD3002: {
      title: 'The connection broke',
      meaning:
        'The request was sent, or a part of it, and the connection ended before the answer. It may have arrived.',
      remedy: 'Run the job again: that is safe unless the message tells to look first.',
      example:
        'Could not create a project: POST /v1/projects: the connection broke: the other side closed it (ECONNRESET). It may have arrived: look at the service before running the job again.',
    },
    SD3003: {
      title: 'The service did not answer in time',
      meaning: 'The request may have arrived, and no answer came, or it stopped in its middle.',
      remedy: 'Run the job again; raise `timeout` if the service is slow.',
      example:
        "Could not read the project's environment: GET /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment: no answer in 30s. It may have arrived: run the job again, which is safe; raise the input timeout if the service is slow.",
    },
    SD3004: {
      title: 'The request breaks a stated limit',
      meaning: "A field is beyond what the service's interface states, so that it was not sent.",
      remedy: 'Correct the field that is named.',
      example:
        'Could not send the message: POST /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/messages: attachmentIds must have at most 20 items. Nothing was sent: correct the named field.',
    },
    SD3005: {
      title: 'The answer cannot be used',
      meaning:
        'Something answered with success, and what it said is not what the service would say: a web page, nothing, or a field that is missing.',
      remedy:
        'Check `base-url`: it must be the address of the API. If it is, the service speaks otherwise than its interface says.',
      example:
        'Could not read the project\'s environment: GET /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment: it answered with success, but the body is an HTML page, "Please sign in". Check base-url: it must be the address of the API, not of a web page or a proxy.',
    },
    SD3006: {
      title: 'Nothing shows that a write was carried out',
      meaning:
        'The service answered with success, or its answer was lost, and a look afterwards does not show what was written.',
      remedy: 'Look at the service before running the job again: it may take effect late.',
      example:
        'Could not create a project: the answer was lost, and whether it was done cannot be seen: Could not list the projects: GET /v1/projects?filter=all answered 403. It may take effect later all the same: look at the service before running the job again.',
    },
    SD3101: {
      title: 'The service does not know a commit that was just pushed',
      meaning:
        'A warning: the commit was pushed a minute ago, and the service still does not know it.',
      remedy: 'If it knows the commits of its default branch only, `git-branch` must be that one.',
      example:
        'The commit was pushed to main, and the service did not know it a minute later. If it knows the commits of its default branch only, git-branch must be that one.',
    },
    SD3300: {
      title: 'The service redirects',
      meaning: 'The address leads elsewhere, and the key is never sent after a redirect.',
      remedy: 'Set `base-url` to the address that it redirects to.',
      example:
        "Could not read the project's environment: GET /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment answered 308: redirects to https://www.example.com/v1. Set base-url to the address that it redirects to: the key is never sent after a redirect.",
    },
    SD3400: {
      title: 'The service refuses a request',
      meaning: 'The service does not take the request; what it says of that stands in the message.',
      remedy:
        'Do what the service says. If that makes no sense, give the request id to its operators.',
      example:
        'Could not assign the domain: POST /connected-domains/shop.example.com/project answered 422. If what the service says makes no sense, give the request id to its operators.',
    },
    SD3401: {
      title: 'The key is not accepted',
      meaning: 'The service answered 401: it does not know the key.',
      remedy:
        "Set the secret of `api-key` anew. In a job with `environment:`, a secret of that environment takes the place of the repository's of the same name.",
      example:
        "Could not read the project's environment: GET /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment answered 401: unauthorized: The API key in x-api-key is not known. (request id request-1). Check the input api-key: the service does not accept it. In a job with environment:, a secret of that environment takes the place of the repository's of the same name.",
    },
    SD3403: {
      title: 'The key may not do this',
      meaning: 'The service answered 403: the key is known, and lacks a permission.',
      remedy: 'Give the key the permission at the service, or use another one.',
      example:
        'Could not list the projects: GET /v1/projects?filter=all answered 403. The key is valid, but may lack the permission for this operation: give it one in the service, or use another key.',
    },
    SD3404: {
      title: 'What is asked for is not there',
      meaning:
        'The service answered 404: the project (or what the message names) does not exist, belongs to somebody else, or lies at another address.',
      remedy: "Check `project-id` and `base-url`, and that the project belongs to the key's owner.",
      example:
        "Could not assign the domain: POST /connected-domains/www.example.com/project answered 404: unknown_project: No such project. (request id request-3). Check project-id and base-url (in a job with environment:, that environment's variables take the place of the repository's), and that the project belongs to the key's owner: GET /v1/projects?filter=all, or the /projects action, lists the ids of those.",
    },
    SD3405: {
      title: 'The address does not take this request',
      meaning: "Something answers at `base-url` that is not the service's API.",
      remedy: 'Correct `base-url`.',
      example:
        'Could not create the variable: POST /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment answered 405. Check base-url: something there answers, but does not take this request.',
    },
    SD3409: {
      title: 'Something else is at work',
      meaning: 'The service answered 409: another run or person changes the same thing.',
      remedy: 'Run the job again when that has ended, and give the workflow a `concurrency` group.',
      example:
        'Could not assign the domain: POST /connected-domains/www.example.com/project answered 409. Something else is at work on it: run the job again when that has ended, and give the workflow a concurrency group.',
    },
    SD3413: {
      title: 'A request is too large',
      meaning: 'The service answered 413.',
      remedy: 'Shorten the values.',
      example:
        'Could not create the variable: POST /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment answered 413. The request is larger than the service takes: shorten the values.',
    },
    SD3421: {
      title: 'The service refuses the deployment',
      meaning: 'The service does not know the commit or the project.',
      remedy:
        "Check `project-id`, and that the commit is in the project's own repository, which is another one than that of the workflow: give `git-url`, or push it there in a step before.",
      example:
        "Could not create the deployment: POST /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/deployments answered 422. Check project-id, and that the commit was pushed to the project's own git repository before this step (with git-url, this step pushes it); commit-sha: HEAD deploys what is there.",
    },
    SD3422: {
      title: 'Another deployment is under way',
      meaning: 'The service answered 409 to the deployment.',
      remedy:
        'Run the job again when the other one has ended, and give the workflow a `concurrency` group.',
      example:
        'Could not create the deployment: POST /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/deployments answered 409. Another deployment may be under way: run the job again when it has ended, and give the workflow a concurrency group.',
    },
    SD3423: {
      title: 'The domain is not registered there',
      meaning: 'The service does not know the registered domain, or shows it to its owner only.',
      remedy: "Check its name in the site file, and that it is registered by the key's owner.",
      example:
        "Could not list the DNS records: GET /domains/example.com/dns-records answered 404: not_found: The registered domain was not found. (request id request-2). Check the domain's name in the site file, and that it is registered by the key's owner.",
    },
    SD3424: {
      title: 'A setting may be so already',
      meaning: 'The service refused to set what it does not show either: it may be as declared.',
      remedy: 'Look at the domain at the service, and run the job again.',
      example:
        'Could not turn the renewal on: POST /domains/example.com/renewal answered 409. It may be so already, which the service does not show: look at the domain there, and run the job again.',
    },
    SD3425: {
      title: 'The deployment was accepted without an id',
      meaning:
        'The service answered with success and without what names the deployment, so that it cannot be followed. It may go live.',
      remedy: 'Check `base-url`, and look at the service.',
      example:
        'Could not create the deployment: POST /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/deployments: it answered with success, but the body is empty. The service has probably accepted the deployment, which may go live; without its id it cannot be followed.',
    },
    SD3429: {
      title: 'Too many requests',
      meaning: 'The service limits the rate of requests, and did so until the time was up.',
      remedy: 'Run fewer jobs at once, or raise `timeout`.',
      example:
        'Could not create the variable: POST /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment answered 429. The service limits the rate of requests: run fewer jobs at once, or raise the input timeout.',
    },
    SD3500: {
      title: 'The service has a fault of its own',
      meaning:
        'The service, or something before it, answered 500 or more, also when it was asked again.',
      remedy: 'Run the job again later.',
      example:
        'Could not create the variable: POST /v1/projects/3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10/environment answered 500. The service has a fault of its own: run the job again later.',
    },
  },
} as const satisfies Topic<'SD3'>;
