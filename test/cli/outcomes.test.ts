import { expect, it } from 'vitest';
import { playScene } from '../../scripts/gallery/play-scene.ts';
import { scenes } from '../../scripts/gallery/scenes.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { outcomesOf } from '../../src/outputs.ts';
import { startCommand } from './command-step.ts';
import { bundled } from './site-deploy.ts';

const ends = (Object.keys(actions) as ActionName[]).flatMap((action) =>
  outcomesOf(action).map((outcome) => ({ action, outcome })),
);

it.concurrent.each(ends)('$action that ends $outcome prints its result', async (end) => {
  const { action, outcome } = end;
  const scene = scenes.find((one) => one.runs.at(-1)?.action === action && one.outcome === outcome);
  if (scene === undefined) throw new Error('there is no scene');
  const playing = playScene(scene, startCommand(await bundled()));
  // What is needed for it is kept on GitHub alone.
  if (outcome === 'rolled-back') await expect(playing).rejects.toThrow('"code":"SD1123"');
  else await playing;
});
