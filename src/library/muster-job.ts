import type {
  FollowJobOptions,
  MusterClient,
  WireApproval,
  WireEvent,
  WireJob,
  WireMerge,
  WireReport,
  WireRun,
  WireTask,
} from '../client/index.ts'
import { readAll } from '../client/read-all.ts'
import { answerOf } from './muster-error.ts'

/** How a job ended, and what it made. */
export type JobResult = {
  readonly job: WireJob
  readonly tasks: readonly WireTask[]
  /** Its runs, with their visits, answers and documents; none if a planner divided the goal. */
  readonly runs: readonly WireRun[]
}

/** One job. It is only a name: dropping it changes nothing, and another process can get it again by its id. */
export class MusterJob {
  readonly id: string
  readonly #client: MusterClient

  constructor(client: MusterClient, id: string) {
    this.#client = client
    this.id = id
  }

  /** The job's events in order, each once, from its beginning to its end. Reconnects by itself. */
  events(options?: FollowJobOptions): AsyncIterable<WireEvent> {
    return this.#client.follow(this.id, options)
  }

  status(): Promise<WireJob> {
    return answerOf(this.#client.getJob(this.id))
  }

  runs(): Promise<readonly WireRun[]> {
    return answerOf(readAll((page) => this.#client.listRuns({ job: this.id, ...page })))
  }

  tasks(): Promise<readonly WireTask[]> {
    return answerOf(readAll((page) => this.#client.listTasks({ job: this.id, ...page })))
  }

  /** What waits for a person's decision in this job. */
  approvals(): Promise<readonly WireApproval[]> {
    const query = { job: this.id, status: 'pending' } as const
    return answerOf(readAll((page) => this.#client.listApprovals({ ...query, ...page })))
  }

  /** Waits until the job has ended. If the signal fires earlier, the result is as it is then. */
  async result(options: { readonly signal?: AbortSignal } = {}): Promise<JobResult> {
    for await (const _ of this.events(options));
    const [job, tasks, runs] = await Promise.all([this.status(), this.tasks(), this.runs()])
    return { job, tasks, runs }
  }

  pause(): Promise<WireJob> {
    return answerOf(this.#client.pauseJob(this.id))
  }

  resume(): Promise<WireJob> {
    return answerOf(this.#client.resumeJob(this.id))
  }

  cancel(reason?: string): Promise<WireJob> {
    return answerOf(this.#client.cancelJob(this.id, { reason }))
  }

  /** Everything that was done, checked and landed, and what it cost. */
  async report(): Promise<WireReport | undefined> {
    return (await answerOf(this.#client.listReports({ job: this.id }))).items[0]
  }

  /** Starts merging what has landed into the base branch. */
  merge(): Promise<WireMerge> {
    return answerOf(this.#client.mergeJob(this.id))
  }
}
