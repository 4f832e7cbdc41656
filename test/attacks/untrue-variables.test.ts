import { tryUnknowable, tryWrites } from './truth/matrix.ts';
import { variableWrites } from './truth/variables.ts';

tryWrites(variableWrites);
tryUnknowable(variableWrites);
