// A process of its own, whose stack has room for few arguments: reads a site file, and prints how many mistakes it has.
import { readSiteFile } from '../../src/declared/model/read.ts';

const count = Number(process.argv[2]);
const reading = readSiteFile(`environment: { A: { targets: [${'3,'.repeat(count)}] } }`);
process.stdout.write(String(reading.ok ? 0 : reading.mistakes.length));
