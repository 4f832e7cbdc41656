import { actions } from './truth/actions.ts';
import { domainWrites } from './truth/domains.ts';
import { tryUnknowable, tryWrites } from './truth/matrix.ts';
import { previewWrites } from './truth/previews.ts';

/** Every write of the service's interface but those of variables, which are as many again. */
const writes = [...actions, ...domainWrites, ...previewWrites];

tryWrites(writes);
tryUnknowable(writes);
