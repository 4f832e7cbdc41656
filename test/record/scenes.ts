import type { ActionResult } from '../../emulator/runner.ts';
import { playScene } from '../../scripts/gallery/play-scene.ts';
import { scenes as all } from '../../scripts/gallery/scenes.ts';
import type { LocalWorld } from '../../scripts/player/world.ts';
import { shareProcess, startWatched } from '../support/shared-process.ts';
import { type RecordedPlay, record } from './recorded.ts';

/** All scenes of the gallery, each run of them; but for those that are shown while they run. */
export const scenes = (): (readonly [string, () => Promise<RecordedPlay>])[] =>
  all
    .filter(({ runs }) => runs.every(({ shownAt }) => shownAt === undefined))
    .map((scene) => {
      const name = `scene: ${scene.name}`;
      const isWatched = scene.runs.some((run) => run.during !== undefined || run.end !== undefined);
      const play = async () => {
        const steps: ActionResult[] = [];
        let recorded: RecordedPlay | undefined;
        const onEnd = (world: LocalWorld, result: ActionResult) => {
          steps.push(result);
          recorded = record(name, { ...world, steps });
        };
        try {
          await playScene(scene, isWatched ? startWatched : shareProcess, onEnd);
        } catch (error) {
          // A run that ended otherwise than its scene says is what a record is for.
          if (recorded === undefined) throw error;
          [recorded.unexpected] = String(error).split('\n');
        }
        if (recorded === undefined) throw new Error(`${scene.name} has no run that ended`);
        return recorded;
      };
      return [name, play] as const;
    });
