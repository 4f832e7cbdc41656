import type { VariableKind } from '../../contract/environment.ts';
import type { Position } from '../../site-file/position.ts';

/** A variable that the site file declares, at the position of its name. */
export type SiteVariable = Position & {
  name: string;
  /** The runtimes that it applies to; absent: not said. */
  targets?: ('preview' | 'production')[];
} & (
    | {
        /** The variable of the step's environment that holds the value. */
        from: string;
        /** Absent: not said. */
        kind?: VariableKind;
      }
    | { value: string; kind: 'plain' }
  );

/** A variable that the site file wants deleted, at the position of its name. */
export type SiteRemoval = Position & { name: string };
