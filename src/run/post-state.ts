/** What the main step keeps for the post step, by name. */
export const postState = { deployment: 'deployment-id', reported: 'reported' } as const;
