import { testHome } from '../../support/test-daemon.ts'
import { benchDelivery } from './bench-delivery.ts'
import { benchStages } from './bench-stages.ts'
import { floorOf } from './floor.ts'

/** How fast agents hear from each other, and how fast a run goes from one stage to the next. */
export async function benchMessages(): Promise<void> {
  await using home = await testHome()
  const floor = await floorOf(home)
  await benchDelivery(home)
  await benchStages(home, floor)
}
