import { channel } from 'node:diagnostics_channel'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatId } from '../../../src/domain/id.ts'
import { median, milliseconds, report } from '../figures.ts'
import { type LandingStage, required } from './landing-stage.ts'
import { runPlainGit } from './plain-git.ts'
import { timeOf } from './time-of.ts'

const REPETITIONS = 15
/** The untracked settings that are copied into every tree of a project. */
const COPIES = ['.env', 'local.json']
const PROCESSES = channel('child_process')

type Sample = { readonly took: number; readonly processes: number }

/** What an agent leaves: nothing, uncommitted files, or a commit. */
const ENDINGS: Readonly<Record<string, (directory: string) => Promise<unknown>>> = {
  'left as it was': () => Promise.resolve(),
  'with uncommitted work': (directory) => writeFile(join(directory, 'new.txt'), `${Math.random()}\n`),
  'with a commit': async (directory) => {
    await writeFile(join(directory, 'new.txt'), `${Math.random()}\n`)
    await runPlainGit(directory, ['add', 'new.txt'])
    await runPlainGit(directory, ['commit', '--quiet', '-m', 'work'])
  },
}

/** Measures the time from the end of an agent to its pinned work. The floor is `git status` in the same tree. */
export async function benchCollect(stage: LandingStage): Promise<void> {
  for (const [ending, work] of Object.entries(ENDINGS)) {
    const floors: number[] = []
    const collected: Sample[] = []
    for (let repetition = 0; repetition <= REPETITIONS; repetition += 1) {
      const { floor, sample } = await collectOnce(stage, work)
      // The first run starts the git processes that keep running.
      if (repetition > 0) floors.push(floor)
      if (repetition > 0) collected.push(sample)
    }
    const took = median(collected.map((sample) => sample.took))
    const processes = median(collected.map((sample) => sample.processes))
    const floor = median(floors)
    report({
      what: `collecting a tree of ${stage.files} files ${ending}`,
      figure: `${milliseconds(took)}, ${(took / floor).toFixed(2)} floors, ${processes} gits`,
      floor: `${milliseconds(floor)} (git status)`,
    })
  }
}

async function collectOnce(
  { hub, project, base, trees }: LandingStage,
  work: (directory: string) => Promise<unknown>,
): Promise<{ readonly floor: number; readonly sample: Sample }> {
  const directory = join(trees, 'open', 'collected')
  required(await hub.trees.open({ project, directory, commit: base, branch: 'work' }))
  await work(directory)
  const floor = await timeOf(() => runPlainGit(directory, ['status', '--porcelain']))
  const attemptId = formatId('attempt', Date.now(), crypto.getRandomValues(new Uint8Array(11)))
  const request = { project, attemptId, directory, base, message: 'work', exclude: COPIES }
  const sample = await counted(async () => required(await hub.trees.collect(request)))
  await hub.trees.remove(directory)
  return { floor, sample }
}

async function counted(work: () => Promise<unknown>): Promise<Sample> {
  let processes = 0
  const count = () => {
    processes += 1
  }
  PROCESSES.subscribe(count)
  try {
    return { took: await timeOf(work), processes }
  } finally {
    PROCESSES.unsubscribe(count)
  }
}
