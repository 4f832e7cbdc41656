// Attack (reports): An answer about another domain makes a preview "verified" or an assignment "done"
// Defense: Answers about another hostname are refused; a change counts once the answer or a read shows it; requested
// once more under another key, then reported
// Attack (reports): An answer only names the domain, and it is reported as cleared, disconnected, connected or bound
// Defense: A read decides. What can't be read is requested once more, and is `unconfirmed` then
// Attack (reports): A preview is reported as not connected, cleared or disconnected, and is not
// Defense: A read of the domain decides
// Attack (reports): A DNS record is reported as written although the answer shows another
// Defense: The list decides; sent again only if it is missing
// Attack (reports): Renewal or binding: an empty or wrong answer counts as `synced`
// Defense: Requested once more under another key; otherwise `unconfirmed`
// Attack (reports): The answer to a message or project names an earlier one
// Defense: It counts as lost: the list is read, and the request sent again only if it isn't there
// Attack (reports): A message, record or project is silently sent again
// Defense: A warning and a line in the summary; a second equal message is noticed

import { actions } from './truth/actions.ts';
import { domainWrites } from './truth/domains.ts';
import { tryUnknowable, tryWrites } from './truth/matrix.ts';
import { previewWrites } from './truth/previews.ts';

/** Every write of the service's interface but those of variables, which are as many again. */
const writes = [...actions, ...domainWrites, ...previewWrites];

tryWrites(writes);
tryUnknowable(writes);
