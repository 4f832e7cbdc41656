import { type Swapping, shop, www } from './swapping.ts';

/** Holds each request to deploy up until it is known what its project serves then. */
export function watchDeployments(swapping: Swapping): string[] {
  const { journal, faults } = swapping.world.emulator;
  const wrong: string[] = [];
  faults.add({
    kind: 'hold',
    operation: 'createDeployment',
    times: Number.POSITIVE_INFINITY,
    until: async () => {
      const path = journal.of('createDeployment').at(-1)?.path ?? '';
      const where = path.includes(swapping.blue.id) ? 'blue' : 'green';
      const served = [www, shop].filter((name) => swapping.seats()[name] === where);
      if (served.length > 0) wrong.push(`${where} was deployed to and served ${served.join()}`);
    },
  });
  return wrong;
}
