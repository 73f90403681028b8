import { testHome } from '../../support/test-daemon.ts'
import { report } from '../figures.ts'
import { benchMakespan } from '../makespan/bench-makespan.ts'
import { benchCollect } from './bench-collect.ts'
import { benchMerges } from './bench-merges.ts'
import { benchTrees } from './bench-trees.ts'
import { openLandingStage } from './landing-stage.ts'

const SIZES = [
  { files: 1_000, repetitions: 5 },
  { files: 20_000, repetitions: 5 },
  { files: 100_000, repetitions: 3 },
] as const
const BRANCHES = 100
/** The ratio up to which times count as equal, because times vary on shared machines. */
const SAME = 1.5

/**
 * Compares landings, working trees and collecting with plain git, in repositories of three sizes. The effect on a whole
 * job is measured last.
 */
export async function benchLanding(): Promise<void> {
  const landings: number[] = []
  for (const { files, repetitions } of SIZES) {
    await using stage = await openLandingStage(files, BRANCHES)
    landings.push(await benchMerges(stage))
    await benchTrees(stage, repetitions)
    await benchCollect(stage)
  }
  const [smallest = Number.NaN, ...larger] = landings
  const growth = Math.max(...larger) / smallest
  report({
    what: 'a landing at the largest size',
    figure: `${growth.toFixed(2)} of one at the smallest`,
    aim: `the same at every size, within ${SAME}x`,
    isMet: growth <= SAME,
  })
  await using home = await testHome()
  await benchMakespan(home)
}
