/** What a reader can try after the demo. */
export const nextCommands: readonly { command: string; what: string }[] = [
  {
    command:
      'npm run try -- deploy --event pull_request env-from=STRIPE_KEY preview-domain preview-projects --end failure',
    what: 'A pull request whose deployment fails, with its comment as a page',
  },
  {
    command: 'npm run emulator',
    what: 'The same service and the same GitHub, until you stop them',
  },
  {
    command: 'npm run emulator -- --repo ../my-site',
    what: 'Your own repository: a push runs its workflows',
  },
];
