type Leg = Readonly<Record<string, unknown>>;

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isLeg = (value: unknown): value is Leg => typeof value === 'object' && value !== null;
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * The legs of a matrix, in GitHub's order.
 * @param matrix `strategy.matrix` with its expressions evaluated
 * @throws if it has no leg
 */
export function legsOf(matrix: unknown): Leg[] {
  if (!isLeg(matrix)) throw new Error('strategy.matrix must be a mapping');
  const { include, exclude, ...axes } = matrix;
  let legs: Leg[] = Object.keys(axes).length === 0 ? [] : [{}];
  for (const [name, values] of Object.entries(axes)) {
    legs = legs.flatMap((leg) => asList(values).map((value) => ({ ...leg, [name]: value })));
  }
  const excluded = asList(exclude).filter(isLeg);
  const isExcluded = (leg: Leg) =>
    excluded.some((one) => Object.entries(one).every(([name, value]) => same(leg[name], value)));
  const kept = legs.filter((leg) => !isExcluded(leg)).map((leg) => ({ own: leg, all: { ...leg } }));
  const added: Leg[] = [];
  for (const one of asList(include).filter(isLeg)) {
    // It extends each leg whose own values it does not change, and is a leg of its own if there is none.
    const fitting = kept.filter(({ own }) =>
      Object.entries(one).every(([name, value]) => !(name in own) || same(own[name], value)),
    );
    if (fitting.length === 0) added.push(one);
    for (const { all } of fitting) Object.assign(all, one);
  }
  const result = [...kept.map(({ all }) => all), ...added];
  if (result.length === 0) throw new Error('Matrix vector does not contain any values');
  return result;
}
