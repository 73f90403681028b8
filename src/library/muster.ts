import { randomUUID } from 'node:crypto'
import type {
  FollowAllOptions,
  MusterClient,
  WireApproval,
  WireFeedEvent,
  WireStartJobRequest,
} from '../client/index.ts'
import { readAll } from '../client/read-all.ts'
import type { Scalar } from '../domain/playbook/stage.ts'
import type { DefinedPlaybook } from './define-playbook.ts'
import { answerOf, MusterError } from './muster-error.ts'
import { MusterJob } from './muster-job.ts'
import type { OpenedHome } from './open-home.ts'

/** What `muster run` and `muster start` can be told, with the same meaning. */
export type JobOptions = Omit<WireStartJobRequest, 'requestDocument' | 'repositoryPath' | 'playbook'> & {
  /** The repository to work on; by default the one of `createMuster`. */
  readonly repository?: string
  /** Calls with the same key start one job, also after a crash. */
  readonly idempotencyKey?: string
}

/** `inputs`: values of the playbook's inputs. */
export type StartOptions = JobOptions & { readonly inputs?: Readonly<Record<string, Scalar>> }

/**
 * One home, and everything that its daemon can do. Methods throw MusterError; the calls of `client` return a Result
 * instead. Closing it stops an embedded daemon as `muster shutdown` would: running agents continue, and the next daemon
 * of the home picks them up.
 */
export class Muster implements AsyncDisposable {
  readonly home: string
  readonly #repository: string
  readonly #opened: OpenedHome

  constructor(home: string, repository: string, opened: OpenedHome) {
    this.home = home
    this.#repository = repository
    this.#opened = opened
  }

  /** Every route of the HTTP API, typed. */
  get client(): MusterClient {
    return this.#opened.client
  }

  /** Whether the daemon runs in this process. */
  get isEmbedded(): boolean {
    return this.#opened.isEmbedded
  }

  /** Resolves when an embedded daemon has ended, with the reason if it had to stop. */
  get ended(): Promise<string | undefined> {
    return this.#opened.ended
  }

  /** Starts a job: a planner divides the goal into tasks. */
  run(goal: string, options: JobOptions = {}): Promise<MusterJob> {
    return this.#startJob(goal, options)
  }

  /** Starts a job that follows a playbook: one that `muster playbooks list` knows, or one of `definePlaybook`. */
  start(
    playbook: string | DefinedPlaybook,
    goal: string,
    { inputs = {}, ...options }: StartOptions = {},
  ): Promise<MusterJob> {
    const chosen = typeof playbook === 'string' ? { name: playbook } : { files: playbook.files }
    return this.#startJob(goal, options, { ...chosen, inputs: { ...inputs } })
  }

  /** A job that was started before, by its id. */
  job(id: string): MusterJob {
    return new MusterJob(this.client, id)
  }

  /** The events of all jobs, each once, until the signal fires. */
  events(options?: FollowAllOptions): AsyncIterable<WireFeedEvent> {
    return this.client.followAll(options)
  }

  /** What waits for a person's decision, the oldest first. */
  approvals(): Promise<readonly WireApproval[]> {
    return answerOf(readAll((page) => this.client.listApprovals({ status: 'pending', ...page })))
  }

  /** Allows exactly what the approval shows; fails if that has changed. */
  approve({ id, digest }: Pick<WireApproval, 'id' | 'digest'>): Promise<WireApproval> {
    return answerOf(this.client.allowApproval(id, { digest }))
  }

  deny({ id, digest }: Pick<WireApproval, 'id' | 'digest'>, reason?: string): Promise<WireApproval> {
    return answerOf(this.client.denyApproval(id, { digest, reason }))
  }

  /** Trusts what a repository's muster.yaml asks for now, as `muster trust` does. */
  async trust(repository: string = this.#repository): Promise<void> {
    const { digest, isTrusted } = await answerOf(this.client.getTrust(repository))
    if (!isTrusted && digest !== undefined) {
      await answerOf(this.client.trustConfiguration(repository, digest))
    }
  }

  async close(): Promise<void> {
    await this.#opened.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #startJob(
    goal: string,
    { repository, idempotencyKey = randomUUID(), ...options }: JobOptions,
    playbook?: WireStartJobRequest['playbook'],
  ): Promise<MusterJob> {
    const started = await this.client.startJob(
      {
        ...options,
        repositoryPath: repository ?? this.#repository,
        requestDocument: goal,
        ...(playbook === undefined ? {} : { playbook }),
      },
      { idempotencyKey },
    )
    if (!started.ok) throw new MusterError(started.failure)
    return new MusterJob(this.client, started.value.id)
  }
}
