import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, milliseconds, report } from '../figures.ts'
import { type LandingStage, required } from './landing-stage.ts'
import { runPlainGit } from './plain-git.ts'
import { timeOf } from './time-of.ts'

const TIMES_FASTER_WARM = 8
const REST_MS = 1_100

/** Compares three ways to get a working tree: `git worktree add`, a new tree, and a warm tree. */
export async function benchTrees(stage: LandingStage, repetitions: number): Promise<void> {
  const { hub, project, base, files, tips } = stage
  const [next = base] = tips
  const floors: number[] = []
  const cold: number[] = []
  const ready: number[] = []
  const behind: number[] = []
  const open = async (commit: string): Promise<number> => {
    const directory = join(stage.trees, 'open', 'tree')
    const took = await timeOf(async () =>
      required(await hub.trees.open({ project, directory, commit, branch: 'work' })),
    )
    await hub.trees.remove(directory)
    return took
  }
  const openWarm = async (at: string, commit: string): Promise<number> => {
    required(await hub.trees.warm({ project, commit: at, count: 1 }))
    // A warm tree is usually older than a moment. Git would read files again that are as new as its index.
    await sleep(REST_MS)
    return await open(commit)
  }
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    floors.push(await timeWorktree(stage))
    cold.push(await open(base))
    ready.push(await openWarm(base, base))
    behind.push(await openWarm(base, next))
  }
  const floor = median(floors)
  reportTree(`a tree of ${files} files, made anew`, median(cold), floor, 1)
  reportTree(`a warm tree of ${files} files`, median(ready), floor, TIMES_FASTER_WARM)
  // Warm trees are updated only periodically, so this is the cost of a tree that is not yet updated.
  reportTree(`a warm tree of ${files} files, a landing behind`, median(behind), floor)
}

async function timeWorktree({ trees, source, base }: LandingStage): Promise<number> {
  const directory = join(trees, 'worktree')
  const took = await timeOf(() =>
    runPlainGit(source, ['worktree', 'add', '--quiet', '--detach', directory, base]),
  )
  await runPlainGit(source, ['worktree', 'remove', '--force', directory])
  return took
}

function reportTree(what: string, took: number, floor: number, timesFaster?: number): void {
  const times = floor / took
  report({
    what,
    figure: `${milliseconds(took)}, ${times.toFixed(times < 10 ? 2 : 0)}x faster`,
    floor: `${milliseconds(floor)} (git worktree add)`,
    ...(timesFaster === undefined ? {} : { aim: aimOf(timesFaster), isMet: times >= timesFaster }),
  })
}

function aimOf(timesFaster: number): string {
  return timesFaster === 1 ? 'no slower' : `${timesFaster}x`
}
