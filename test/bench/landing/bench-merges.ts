import { join } from 'node:path'
import { median, milliseconds, report } from '../figures.ts'
import { type LandingStage, required } from './landing-stage.ts'
import { runPlainGit } from './plain-git.ts'
import { timeOf } from './time-of.ts'

const SINGLE = 40
const BATCH = 8
/** How many times faster than a merge in a checkout a landing should be, by the number of files. */
const AIMS: ReadonlyMap<number, number> = new Map([
  [20_000, 10],
  [100_000, 40],
])
const BRANCH = 'landed'

/** Alternates landings in the hub with merges in a checkout. Returns the milliseconds of one landing. */
export async function benchMerges(stage: LandingStage): Promise<number> {
  const { hub, project, base, source, files, tips } = stage
  const checkout = join(stage.root, 'checkout')
  await runPlainGit(stage.root, ['clone', '--quiet', '--shared', source, checkout])
  required(await hub.branches.move(project, BRANCH, base, undefined))

  const merging: number[] = []
  const landing: number[] = []
  let onto = base
  const land = async (...batch: readonly string[]): Promise<void> => {
    const messageOf = () => `land ${batch.length}`
    const merged = required(await hub.commits.mergeBatch(project, { onto, tips: batch, messageOf }))
    if (merged.merged.length !== batch.length) throw new Error('the batch left out a tip')
    required(await hub.branches.move(project, BRANCH, merged.commit, onto))
    onto = merged.commit
  }
  for (const tip of tips.slice(0, SINGLE)) {
    const classic = ['merge', '--quiet', '--no-ff', '-m', 'merge', tip]
    merging.push(await timeOf(() => runPlainGit(checkout, classic)))
    landing.push(await timeOf(() => land(tip)))
  }
  await requireSameTree(stage, checkout, onto)
  const batches: number[] = []
  for (let start = SINGLE; start + BATCH <= tips.length; start += BATCH) {
    batches.push(await timeOf(() => land(...tips.slice(start, start + BATCH))))
  }
  reportLandings(files, landing, merging, batches)
  return median(landing)
}

/** Verifies that both ways produced the same tree. */
async function requireSameTree(
  { hub, project }: LandingStage,
  checkout: string,
  landed: string,
): Promise<void> {
  const merged = await runPlainGit(checkout, ['rev-parse', 'HEAD^{tree}'])
  if (merged !== (await hub.history.treeOf(project, landed)))
    throw new Error('the hub and git merge produced different trees')
}

function reportLandings(
  files: number,
  landing: readonly number[],
  merging: readonly number[],
  batches: readonly number[],
): void {
  const floor = median(merging)
  const times = floor / median(landing)
  const aim = AIMS.get(files)
  report({
    what: `a landing at ${files} files`,
    figure: `${milliseconds(median(landing))}, ${times.toFixed(1)}x faster`,
    floor: `${milliseconds(floor)} (git merge in a checkout)`,
    ...(aim === undefined ? {} : { aim: `${aim}x`, isMet: times >= aim }),
  })
  const batch = median(batches)
  report({
    what: `a batch of ${BATCH} at ${files} files`,
    figure: `${milliseconds(batch)}, ${milliseconds(batch / BATCH)} a tip`,
  })
}
