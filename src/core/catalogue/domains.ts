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
      example: '',
    },
    SD6002: {
      title: 'No preview project is free',
      meaning: 'Each project of `preview-projects` is held by another pull request.',
      remedy:
        'Close one of these pull requests, or add a project. The next run of this one leases it.',
      example: '',
    },
    SD6003: {
      title: "The hostname may be somebody's site",
      meaning:
        'The hostname is assigned to a project, and nothing recorded says that it is the preview of this pull request: a branch could have been given the name of a site.',
      remedy:
        'Put `{number}` into `preview-domain`; or do what the message says for a preview that is known to be one.',
      example: '',
    },
    SD6004: {
      title: 'The project serves a site',
      meaning:
        'The code is not merged, and the project serves a hostname that is no preview of it: what the run writes would reach that site.',
      remedy: 'Give such runs projects of their own, or set `allow-production: true`.',
      example: '',
    },
    SD6005: {
      title: 'The connected domains cannot be listed',
      meaning:
        'A warning: the key may not list domains, or the service does not, so it is not known whether the project serves others.',
      remedy: 'Give the key the right to read domains.',
      example: '',
    },
    SD6006: {
      title: 'A preview lost its project',
      meaning:
        'Somebody took the project that the preview had leased, before anything was deployed.',
      remedy: 'Run the job again.',
      example: '',
    },
    SD6007: {
      title: 'The pull request was closed meanwhile',
      meaning: 'The pull request was closed while its preview was made. The preview is ended.',
      remedy: 'Nothing. Reopen the pull request to have the preview again.',
      example: '',
    },
    SD6008: {
      title: 'The pull request is open again',
      meaning: 'The pull request was opened again before its preview was ended, so that it stays.',
      remedy: 'Nothing.',
      example: '',
    },
    SD6009: {
      title: 'A pull request is deployed to the project itself',
      meaning:
        'A warning: the run has no preview, so that what it deploys is what the project serves everywhere.',
      remedy:
        'Give `preview-projects` and `preview-domain`, or set `allow-production: true` if the project is there for that.',
      example: '',
    },
    SD6010: {
      title: 'Some previews could not be ended',
      meaning: 'The sweep went on with the others; the summary says of each what went wrong.',
      remedy: 'Mend what the summary says, and run the sweep again.',
      example: '',
    },
    SD6101: {
      title: 'Some writes on domains failed',
      meaning: 'Not everything was applied. The message names what failed, with the first reason.',
      remedy: 'Mend the reason; the next run does what is left.',
      example: '',
    },
    SD6102: {
      title: 'The verification of a domain failed',
      meaning: 'The service says that a connected domain cannot be verified.',
      remedy: 'Make the DNS records that the summary lists.',
      example: '',
    },
    SD6103: {
      title: 'A domain is not verified yet',
      meaning: 'A warning: the time was up before the domain was verified.',
      remedy:
        'Make the DNS records that the summary lists; raise `domain-timeout` if DNS takes long.',
      example: '',
    },
    SD6104: {
      title: 'Nothing shows a write on a domain',
      meaning: 'A warning: the service answered with success, and shows it otherwise.',
      remedy: 'Look at the domain at the service; the next plan may have it again.',
      example: '',
    },
    SD6105: {
      title: 'The plan cannot be applied',
      meaning:
        'What is declared and what is there do not go together, so that nothing was changed.',
      remedy: 'Do what the message says of each record.',
      example: '',
    },
    SD6106: {
      title: 'A proposed site file changes nothing',
      meaning: 'The site file is not merged, and would change domains or variables.',
      remedy:
        'Show its plan with `mode: plan`, and apply it after the merge; or set `allow-production: true`.',
      example: '',
    },
    SD6107: {
      title: 'The verification could not be followed',
      meaning: 'A warning: the service did not answer any more how the domain stands.',
      remedy: 'Look at the domain at the service.',
      example: '',
    },
    SD6108: {
      title: 'A domain is too expensive',
      meaning: 'A checked name costs more than `max-price`. This action never buys anything.',
      remedy: 'Choose another name, or raise `max-price`.',
      example: '',
    },
    SD6109: {
      title: 'The domains have drifted',
      meaning: 'The service is not as the site file says, and `fail-on-drift` is true.',
      remedy: 'Run `mode: apply`, or change the site file.',
      example: '',
    },
  },
} as const satisfies Topic<'SD6'>;
