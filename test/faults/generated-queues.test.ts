import { describe, expect, it } from 'vitest'
import { auditLandings } from '../support/audit-landings.ts'
import { commitFile, type ShellTask, shellProject } from '../support/command-agents.ts'
import { quickHome } from '../support/quick-home.ts'
import { runJob, tasksOf } from '../support/run-job.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** Pseudo-random numbers, the same for the same seed. */
function chancesOf(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Tasks of which some are broken, some change the same file, and two may pass only alone. */
function generatedProject(seed: number) {
  const chance = chancesOf(seed)
  const tasks = Array.from({ length: 7 }, (_, index): ShellTask => {
    const files = [`own-${index}`]
    if (chance() < 0.25) files.push(`broken-${index}`)
    const shared = chance() < 0.5 ? [`shared-${Math.floor(chance() * 2)}`] : []
    const script = [
      ...files.map((file) => commitFile(file, 'x')),
      ...shared.map((file) => commitFile(file, `text ${index}`)),
    ]
    return { description: `do number ${index} of ${seed}`, script: script.join('; ') }
  })
  const pair = [Math.floor(chance() * 7), Math.floor(chance() * 7)] as const
  const fits = pair[0] === pair[1] ? 'true' : `test ! -e own-${pair[0]} || test ! -e own-${pair[1]}`
  const check = `! ls | grep -q broken && { ${fits}; }`
  return { project: shellProject(tasks, { checks: [check] }), pair }
}

async function filesAt(repository: TestRepository, commit: string): Promise<readonly string[]> {
  return (await repository.git('ls-tree', '-r', '--name-only', commit)).split('\n')
}

describe('merge queues with generated work', () => {
  it('pass the checks at every commit, and never undo landed work', async () => {
    await using home = await quickHome()
    const daemon = await home.start()
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { project, pair } = generatedProject(seed)
      await using repository = await testRepository(project)
      const job = await runJob(daemon.client, repository, { maxParallelTasks: 8, maxCycles: 1 })
      const landed = await auditLandings(daemon.client, repository, job)
      let before: readonly string[] = []
      for (const commit of landed) {
        const files = await filesAt(repository, commit)
        const isBroken = files.some((file) => file.startsWith('broken'))
        const clashes = pair[0] !== pair[1] && pair.every((number) => files.includes(`own-${number}`))
        expect({ seed, commit, isBroken, clashes }).toEqual({ seed, commit, isBroken: false, clashes: false })
        expect(before.filter((file) => !files.includes(file))).toEqual([])
        before = files
      }
      for (const { status, filesModified, reason } of await tasksOf(daemon.client, job.id)) {
        const isIn = before.includes(filesModified.find((file) => file.startsWith('own')) ?? '')
        expect({ seed, status, reason, isIn }).toMatchObject({ isIn: status === 'completed' })
        expect(['completed', 'failed', 'blocked']).toContain(status)
      }
    }
  }, 300_000)
})
