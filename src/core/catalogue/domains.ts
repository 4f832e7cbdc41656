import type { Topic } from './entry.ts';

/** What hinders a preview or a domain, by code. */
export const domains = {
  title: 'Previews and domains',
  intro: 'Hostnames, their projects, and their DNS records.',
  entries: {
    SD6001: {
      title: 'The domain is not verified',
      meaning:
        'The deployment is there, and its hostname is not verified yet, or its verification failed.',
      remedy:
        'Make the DNS records that the message lists, and wait until DNS has them; raise `domain-timeout` if that takes long.',
      example:
        'The domain pr-7.preview.example.com is not verified after 5m (state pending, ownership pending). It needs these DNS records: TXT _verify.pr-7.preview.example.com → site-verify=a1b2c3.',
    },
    SD6002: {
      title: 'No preview project is free',
      meaning: 'Each project of `preview-projects` is held by another pull request.',
      remedy:
        'Close one of these pull requests, or add a project. The next run of this one leases it.',
      example:
        'No project of preview-projects is free: they are held by #1, #2. Close one of these pull requests, or add a project.',
    },
    SD6003: {
      title: "The hostname may be somebody's site",
      meaning:
        'The hostname is assigned to a project, and nothing recorded says that it is the preview of this pull request: a branch could have been given the name of a site.',
      remedy:
        'Put `{number}` into `preview-domain`; or do what the message says for a preview that is known to be one.',
      example:
        "Nothing was written or deployed: pr-7.p.example.com is assigned to a project, and no record of ours says that it is the preview of this pull request on that project. So it may be somebody's site, which a branch's name must not take. Put {number} into preview-domain. If it is a preview, clear its assignment at the service, and let its runs keep a record of it, by comment or github-deployment.",
    },
    SD6004: {
      title: 'The project serves a site',
      meaning:
        'The code is not merged, and the project serves a hostname that is no preview of it: what the run writes would reach that site.',
      remedy: 'Give such runs projects of their own, or set `allow-production: true`.',
      example:
        'Nothing was written or deployed: the project serves www.example.com, and what a pull request brings, or any run of code that is not merged, would reach that site. Give such runs a project of their own, or set allow-production: true.',
    },
    SD6005: {
      title: 'The connected domains cannot be listed',
      meaning:
        'A warning: the key may not list domains, or the service does not, so it is not known whether the project serves others.',
      remedy: 'Give the key the right to read domains.',
      example:
        'The connected domains cannot be listed, so it is not known whether the project serves others. Could not list the connected domains: GET /connected-domains answered 403: forbidden: The key may not use listConnectedDomains. (request id request-2).',
    },
    SD6006: {
      title: 'A preview lost its project',
      meaning:
        'Somebody took the project that the preview had leased, before anything was deployed.',
      remedy: 'Run the job again.',
      example:
        'Nothing was deployed: pr-7.p.example.com lost its project in the meantime. Run the job again.',
    },
    SD6007: {
      title: 'The pull request was closed meanwhile',
      meaning:
        'The pull request was closed while its preview was made. The message says where a look shows its hostname.',
      remedy: 'Nothing. Reopen the pull request to have the preview again.',
      example: 'The pull request was closed while it was being deployed: its preview is removed.',
    },
    SD6008: {
      title: 'The pull request is open again',
      meaning: 'The pull request was opened again before its preview was ended, so that it stays.',
      remedy: 'Nothing.',
      example: 'The pull request is open again: its preview stays.',
    },
    SD6009: {
      title: 'A pull request is deployed to the project itself',
      meaning:
        'A warning: the run has no preview, so that what it deploys is what the project serves everywhere.',
      remedy:
        'Give `preview-projects` and `preview-domain`, or set `allow-production: true` if the project is there for that.',
      example:
        "This pull request's commit is for the project itself, and what is deployed to a project is what it serves everywhere. Give preview-projects and preview-domain, so that each pull request has a project and a hostname of its own, or set allow-production: true if the project is there for that.",
    },
    SD6010: {
      title: 'Some previews could not be ended',
      meaning: 'The sweep went on with the others; the summary says of each what went wrong.',
      remedy: 'Mend what the summary says, and run the sweep again.',
      example: '2 of 5 previews could not be ended; the summary says why.',
    },
    SD6011: {
      title: 'A domain that moves is on a third project',
      meaning:
        'A hostname of `swap-domains` is assigned to a project that is none of `swap-projects`: to move it would end what that one serves.',
      remedy: 'Take it out of `swap-domains`, or assign it to one of the two at the service.',
      example:
        'Nothing was written or deployed: www.example.com of swap-domains is assigned to a project that is none of swap-projects. Take it out of swap-domains, or assign it to one of them at the service.',
    },
    SD6012: {
      title: 'Another run is moving the domains',
      meaning:
        'The domains of `swap-domains` were on both projects, or on none, and did not come to rest.',
      remedy: 'Put such runs into one `concurrency` group, and run the job again.',
      example:
        'Nothing was written or deployed: another run was moving the domains of swap-domains all the time. Let such runs wait for each other by a concurrency group, and run the job again.',
    },
    SD6013: {
      title: 'Somebody else moved a domain',
      meaning:
        'A domain was not where this run had seen or left it. It is left where it is, and nothing is deployed to a project that serves it.',
      remedy: 'Put such runs into one `concurrency` group, and run the job again.',
      example:
        'www.example.com is assigned to no project now, and was to 11111111-1111-4111-8111-111111111111: somebody else, or another run, has moved it meanwhile. So this run stops. Let such runs wait for each other by a concurrency group, and run the job again.',
    },
    SD6014: {
      title: 'A domain that moved is not verified yet',
      meaning:
        'A warning: the service has not verified a hostname of `swap-domains` within `domain-timeout`. One that served no site before is not checked then; one that did may be unreachable since it was moved.',
      remedy: 'Make the DNS records that it needs.',
      example:
        'new.example.com: not verified yet, and not checked there. The domains action shows the DNS records that are missing.',
    },
    SD6015: {
      title: 'The domains were moved back',
      meaning:
        'The checks held at the preview, and not at the domains themselves once these had moved. What was live before is live again.',
      remedy: 'See what the check that is named found there.',
      example:
        'The domains were moved back to 11111111-1111-4111-8111-111111111111, which serves them as before. 1 of 2 checks did not hold within 2m. GET https://www.example.com/: wanted 200 to 299, seen: answered 503.',
    },
    SD6016: {
      title: 'The domains could not be moved back',
      meaning:
        'The checks failed at the domains, and the service did not take all of them back to the project that served them.',
      remedy: 'Run the job again: it gathers the domains first. Or assign them at the service.',
      example:
        'The checks failed at the domains, and these could not all be moved back. The domains may not all be on one project now: run the job again, which gathers them.',
    },
    SD6017: {
      title: 'The hostname serves a project that this run does not know',
      meaning:
        'A deployment moves its hostname only between projects that its inputs name, or our signed record of this pull request. `allow-production` does not change that.',
      remedy:
        'If the hostname is to move, clear its assignment at the service, or declare the move in the site file of the `domains` action, whose plan shows both projects.',
      example:
        'www.example.com is assigned to project 0f8b2c1e-4d1b-4a57-9d8c-2f6d1f0c7b11, which this run does not know, so it was not moved. Clear that assignment at the service, or declare the move in the site file of the domains action.',
    },
    SD6018: {
      title: 'The pull request has no preview',
      meaning:
        'A run with `deploy: false` finds the project that the pull request has leased, and takes none itself.',
      remedy: 'Nothing, or deploy the pull request first.',
      example:
        'This pull request has no preview, and a run with deploy: false takes no project of preview-projects.',
    },
    SD6019: {
      title: 'Whether this is production is not known',
      meaning:
        'With `require-verified` a run of code that is not merged must not go to a project that serves other domains, and the key may not list domains.',
      remedy: 'Give the key the right to list connected domains.',
      example:
        'Nothing was written or deployed: the connected domains cannot be listed, so whether this is production, where require-verified counts, is not known. Give the key the right to list them.',
    },
    SD6101: {
      title: 'Some writes on domains failed',
      meaning: 'Not everything was applied. The message names what failed, with the first reason.',
      remedy: 'Mend the reason; the next run does what is left.',
      example:
        '1 of 3 writes failed: A www.example.com. Could not create the DNS record: POST /domains/example.com/dns-records answered 422. If what the service says makes no sense, give the request id to its operators.',
    },
    SD6102: {
      title: 'The verification of a domain failed',
      meaning: 'The service says that a connected domain cannot be verified.',
      remedy: 'Make the DNS records that the summary lists.',
      example: 'The verification of www.example.com failed: see the summary.',
    },
    SD6103: {
      title: 'A domain is not verified yet',
      meaning:
        'A warning: the time was up before the domain was verified, or before the service said so in a word that is known.',
      remedy:
        'Make the DNS records that the summary lists; raise `domain-timeout` if DNS takes long. A word that the summary names can be taught by `success-states`.',
      example:
        'Not verified after 1s: www.example.com, new.example.com. The summary lists the DNS records to make.',
    },
    SD6104: {
      title: 'Nothing shows a write on a domain',
      meaning: 'A warning: the service answered with success, and shows it otherwise.',
      remedy: 'Look at the domain at the service; the next plan may have it again.',
      example:
        'example.com, bound to 3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10: the service answered 409: it is likely so already, which it does not show. If it is not, change it at the service.',
    },
    SD6105: {
      title: 'The plan cannot be applied',
      meaning:
        'What is declared and what is there do not go together, so that nothing was changed.',
      remedy: 'Do what the message says of each record.',
      example:
        'Nothing was changed: CNAME www.example.com: the service has A "192.0.2.80" at this name, and a CNAME stands alone. The system manages it: take this one out of the file.',
    },
    SD6106: {
      title: 'A proposed site file changes nothing',
      meaning: 'The site file is not merged, and would change domains.',
      remedy:
        'Show its plan with `mode: plan`, and apply it after the merge; or set `allow-production: true`.',
      example:
        'Nothing was changed: the site file of a pull request, or of any run of code that is not merged, must not change domains. Show its plan with mode: plan and apply it after the merge, or set allow-production: true.',
    },
    SD6107: {
      title: 'The verification could not be followed',
      meaning: 'A warning: the service did not answer any more how the domain stands.',
      remedy: 'Look at the domain at the service.',
      example:
        'The verification could not be followed to its end. Could not read the status of connected domains: POST /connected-domains/status answered 404: not_found: A connected domain was not found. (request id request-4).',
    },
    SD6108: {
      title: 'A domain is too expensive',
      meaning: 'A checked name costs more than `max-price`. This action never buys anything.',
      remedy: 'Choose another name, or raise `max-price`.',
      example:
        'Nothing was changed: max-price is 1 USD, and these cost more: example.com (13.05 USD), example.org (12.64 USD). Nothing is ever bought by this action.',
    },
    SD6109: {
      title: 'The domains have drifted',
      meaning: 'The service is not as the site file says, and `fail-on-drift` is true.',
      remedy: 'Run `mode: apply`, or change the site file.',
      example:
        'The service is not as the site file says, and fail-on-drift is true, so this step fails. Nothing was changed. To apply the plan, run with mode: apply.',
    },
    SD6110: {
      title: 'A record that the file did not declare would be replaced',
      meaning:
        'A declared record would take the place of one that nothing shows to be the same: the ledger does not hold its id, as it would if an earlier version of the file had made it, and no tag of a text does.',
      remedy:
        'Declare the record that is there in the file too, or set `replace-undeclared: true` for one run.',
      example:
        'Nothing was changed: 1 record would take the place of what this file did not declare: TXT example.com "v=spf1 -all" instead of "site-verification" (nothing shows that an earlier version of this file made it, and no tag such as v=spf1 shows that both are for the same thing). To keep what is there, declare it in the file too; to replace it, set replace-undeclared: true for this run.',
    },
    SD6111: {
      title: 'The status of a domain is an unknown word',
      meaning:
        'A warning: the service describes the domain by a word that no table has, so that nothing says whether it is verified.',
      remedy:
        'If the word means that the domain is verified, or that it never will be, add it to `success-states` or `failure-states`.',
      example:
        'Of the domain pr-7.preview.example.com: "zorp" is a word that this action does not know: if the service means a good domain by it, set the input success-states: zorp.',
    },
  },
} as const satisfies Topic<'SD6'>;
