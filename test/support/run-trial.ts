import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunId } from '../../src/domain/id.ts'
import type { Job } from '../../src/domain/job/job.ts'
import type { Run } from '../../src/domain/run/run.ts'
import { isVisitOpen, type Visit } from '../../src/domain/run/visit.ts'
import { advanceJob } from '../../src/engine/jobs/advance-job.ts'
import type { StartJobRequest } from '../../src/engine/jobs/job-commands.ts'
import { advanceRun } from '../../src/engine/runs/advance-run.ts'
import { continueRun } from '../../src/engine/runs/continue-run.ts'
import { settleVisit, type VisitResult } from '../../src/engine/runs/store-visit.ts'
import { type JobTrial, openJobTrial } from './job-trial.ts'

const MINUTE = 60_000

/** A developer's stage, as a playbook writes it. */
export const developing = (on: object) => ({ role: 'developer', sees: ['goal'], output: 'change', on })

/** A result of a visit that made a commit. */
export const changed = (digit: string): VisitResult => ({
  outcome: 'done',
  commit: digit.repeat(40),
  work: {
    files: ['work.txt'],
    commits: [digit.repeat(40)],
    changes: { files: 1, added: 1, removed: 0, unusual: [] },
    omissions: [],
  },
  answer: { summary: `made ${digit}` },
})

export type RunTrial = AsyncDisposable & {
  readonly jobs: JobTrial
  /** Writes a playbook of one developer into the repository. */
  write(name: string, playbook: Readonly<Record<string, unknown>>): Promise<void>
  /** Starts a job that follows a playbook of the repository, and its run. */
  follow(name: string, request?: Partial<StartJobRequest>): Promise<{ readonly job: Job; readonly run: Run }>
  run(id: RunId): Promise<Run>
  visits(id: RunId): Promise<readonly Visit[]>
  /** The stages that a run has been through, with their outcomes or states. */
  way(id: RunId): Promise<readonly string[]>
  /** The open run within this one. */
  child(id: RunId): Promise<Run>
  /** Ends the open visit of a run as its agent would, and advances the run. */
  settle(id: RunId, result: VisitResult): Promise<void>
  /** Does the work `run-advance`. */
  advance(id: RunId): Promise<void>
  pass(minutes: number): void
}

/** Runs on a real store, without programs. */
export async function openRunTrial(): Promise<RunTrial> {
  const jobs = await openJobTrial()
  const { needs } = jobs
  const { read } = needs.store
  const found = async <Row>(row: Promise<Row | undefined>): Promise<Row> => {
    const value = await row
    if (value === undefined) throw new Error('there is no such row')
    return value
  }
  const trial: RunTrial = {
    jobs,
    async write(name, playbook) {
      const folder = join(jobs.repositoryPath, '.muster', 'playbooks', name)
      await mkdir(folder, { recursive: true })
      const roles = { developer: { mode: 'write', prompt: './developer.md', agents: ['worker'] } }
      const whole = { version: 1, name, description: 'An example.', roles, ...playbook }
      await writeFile(join(folder, 'playbook.yaml'), JSON.stringify(whole))
      await writeFile(join(folder, 'developer.md'), 'You develop.')
    },
    async follow(name, request = {}) {
      const started = await jobs.start({ playbook: { name, inputs: {} }, ...request })
      await advanceJob(needs, started.id)
      const run = await found(read.runs.listOfJob(started.id).then(([first]) => first))
      return { job: await jobs.job(started.id), run }
    },
    run: (id) => found(read.runs.find(id)),
    visits: (id) => read.visits.listOfRun(id),
    async way(id) {
      const visits = await read.visits.listOfRun(id)
      return visits.map(({ stage, state }) =>
        state.type === 'settled' ? `${stage}: ${state.outcome}` : `${stage} is ${state.type}`,
      )
    },
    async child(id) {
      const waiting = (await read.visits.listOfRun(id)).find(({ state }) => state.type === 'running-child')
      if (waiting?.state.type !== 'running-child') throw new Error(`run ${id} waits for no other`)
      return await found(read.runs.find(waiting.state.runId))
    },
    async settle(id, result) {
      const { jobId } = await trial.run(id)
      await needs.store.withJob(jobId, async (records, job) => {
        const run = await found(records.runs.find(id))
        const visit = await found(records.visits.listOfRun(id).then((all) => all.find(isVisitOpen)))
        await settleVisit(needs, records, run, visit, result)
        await advanceRun(needs, records, job, id)
      })
    },
    advance: (id) => continueRun(needs, id),
    pass(minutes) {
      jobs.now = new Date(jobs.now.getTime() + minutes * MINUTE)
    },
    [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose](),
  }
  return trial
}
