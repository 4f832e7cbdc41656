// Attack (reports): The next run takes the action's own late write for another change
// Defense: The message includes "or by an unconfirmed write"

import { tryUnknowable, tryWrites } from './truth/matrix.ts';
import { variableWrites } from './truth/variables.ts';

tryWrites(variableWrites);
tryUnknowable(variableWrites);
