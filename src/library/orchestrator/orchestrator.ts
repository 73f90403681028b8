import type { WireMessage, WireRun, WireValidPlaybook } from '../../client/index.ts'
import { createMuster, type MusterOptions } from '../create-muster.ts'
import type { Muster } from '../muster.ts'
import { answerOf, MusterError } from '../muster-error.ts'
import type { MusterJob } from '../muster-job.ts'
import { type Followed, foldEvent } from './fold-event.ts'
import { completeConfig, type OrchestratorConfig } from './orchestrator-config.ts'
import {
  type AgentStatus,
  type ManagedAgent,
  type OrchestratorEvent,
  type OrchestratorSession,
  resultOf,
  type SessionResult,
  statusOf,
} from './orchestrator-session.ts'
import { roleIn } from './role-in.ts'

type EventHandler = (event: OrchestratorEvent) => void
type Workflow = {
  readonly job: MusterJob
  readonly playbook: WireValidPlaybook
  readonly ended: Promise<void>
}

const NOTHING: Followed = { agents: new Map(), stagesEnded: 0 }
const OUTPUT_LINES = 100

/** A workflow of several agents: a thin face over one job that follows a playbook. */
export class Orchestrator implements AsyncDisposable {
  readonly config: Required<OrchestratorConfig>
  readonly #options: MusterOptions
  readonly #handlers = new Set<EventHandler>()
  #stopped = new AbortController()
  #muster: Muster | undefined
  #workflow: Workflow | undefined
  #session: OrchestratorSession | undefined
  #followed = NOTHING
  #messages: readonly WireMessage[] = []

  constructor(config: OrchestratorConfig = {}, options: MusterOptions = {}) {
    this.config = completeConfig(config, process.env)
    this.#options = options
  }

  /** The id of the job; before it has started, that of the configuration. */
  get sessionId(): string {
    return this.#session?.id ?? this.config.sessionId
  }

  /** Starts a job that follows the playbook `type`. Nothing exists if that fails. */
  async startWorkflow(type: string, goal: string): Promise<OrchestratorSession> {
    if (this.isRunning()) throw new MusterError(refused('session-running', 'a workflow is running already'))
    // An earlier workflow may have closed the home at its end.
    if (this.#stopped.signal.aborted) this.#stopped = new AbortController()
    this.#muster ??= await createMuster(this.#options)
    const { client } = this.#muster
    const repositoryPath = this.#options.repository ?? process.cwd()
    const playbook = await answerOf(client.getPlaybook(type, { repositoryPath }))
    if (playbook.type === 'invalid') throw new MusterError(refused('playbook-invalid', `${type} is invalid`))
    const { workflowTimeout, maxAgents, sessionId } = this.config
    const job = await this.#muster.start(type, goal, {
      timeLimitMinutes: workflowTimeout / 60_000,
      maxParallelTasks: maxAgents,
      ...(sessionId === '' ? {} : { idempotencyKey: sessionId }),
    })
    const startedAt = new Date().toISOString()
    this.#followed = NOTHING
    const { agents } = NOTHING
    this.#session = { id: job.id, workflowType: type, goal, status: 'running', startedAt, agents }
    this.#emit({ type: 'session_started', sessionId: job.id, workflow: type })
    this.#workflow = { job, playbook, ended: this.#follow(job, playbook) }
    return this.#session
  }

  /** Cancels the job, waits for its end, and returns what it has made. */
  async stop(): Promise<SessionResult> {
    if (this.isRunning()) await this.#current().job.cancel('stopped by the orchestrator')
    return await this.synthesizeResults()
  }

  /** Cancels the job and stops its programs at once. */
  async kill(): Promise<void> {
    const { job } = this.#current()
    if (this.isRunning()) await job.cancel('killed by the orchestrator')
    const agents = this.listAgents().filter(({ status }) => status === 'working')
    await Promise.all(agents.map(({ sessionId }) => this.#client().stopSession(sessionId, { force: true })))
  }

  getSession(): OrchestratorSession | null {
    return this.#session ?? null
  }

  isRunning(): boolean {
    return this.#session?.status === 'running'
  }

  /** Rejects: the stages of the playbook decide when an agent of a role is needed, and Muster starts it then. */
  spawnAgent(role: string): Promise<ManagedAgent> {
    const message = `the playbook starts its agents itself, so ${role} can't be started by hand`
    return Promise.reject(new MusterError(refused('unsupported', message)))
  }

  getAgent(role: string): ManagedAgent | undefined {
    return this.#followed.agents.get(role)
  }

  listAgents(): readonly ManagedAgent[] {
    return [...this.#followed.agents.values()]
  }

  /** Sends a message to the role in the run of this job. */
  async sendToAgent(
    role: string,
    message: { readonly subject?: string; readonly body: string },
  ): Promise<void> {
    const { job } = this.#current()
    const run = (await job.runs()).find(({ status }) => status === 'running')
    const place = run === undefined ? { jobId: job.id } : { runId: run.id }
    await answerOf(this.#client().sendMessage({ ...message, to: `role:${role}`, ...place }))
  }

  /** The last lines that the agent's program printed as text. */
  async captureAgentOutput(role: string, lines: number = OUTPUT_LINES): Promise<string> {
    const agent = this.getAgent(role)
    if (agent === undefined) return ''
    const { items } = await answerOf(this.#client().listSessionEvents(agent.sessionId, { limit: 500 }))
    const texts = items.flatMap((event) =>
      event.type === 'agent_message' && event.data.type === 'text' ? event.data.text.split('\n') : [],
    )
    return texts.slice(-lines).join('\n')
  }

  /** Stops the program of the role. What follows is up to `recover` of the playbook. */
  async terminateAgent(role: string): Promise<void> {
    const agent = this.getAgent(role)
    if (agent === undefined) return
    await answerOf(this.#client().stopSession(agent.sessionId, { reason: 'terminated by the orchestrator' }))
  }

  /** Rejects: the outcome of a stage decides what follows, and messages route nothing. */
  routeMessage(from: string): Promise<void> {
    const message = `outcomes of stages decide what follows, so nothing that ${from} sends is routed by hand`
    return Promise.reject(new MusterError(refused('unsupported', message)))
  }

  /** Of the messages that `startMonitoring` or an event has fetched last: those that the role has not received. */
  getPendingMessages(role: string): readonly WireMessage[] {
    return this.#messages.filter(({ to, status }) => to === `role:${role}` && status === 'queued')
  }

  getMessageHistory(): readonly WireMessage[] {
    return this.#messages
  }

  /** Has no effect: the orchestrator follows the events of its job from the start. */
  startMonitoring(): void {
    // Nothing is polled.
  }

  /** Has no effect, for the same reason. */
  stopMonitoring(): void {
    // Nothing is polled.
  }

  async checkAgentHealth(role: string): Promise<AgentStatus> {
    const agent = this.getAgent(role)
    if (agent === undefined) return 'terminated'
    const { status } = await answerOf(this.#client().getSession(agent.sessionId))
    if (status === 'suspended' || status === 'waiting') return 'blocked'
    return status === 'terminated' ? (this.getAgent(role)?.status ?? 'terminated') : 'working'
  }

  /** From 0 to 100: visits that have ended, of at most so many. Never goes back. */
  getProgress(): number {
    if (this.#session === undefined) return 0
    if (!this.isRunning()) return 100
    const most = this.#workflow?.playbook.visitBound ?? 1
    return Math.min(99, Math.floor((100 * this.#followed.stagesEnded) / most))
  }

  /** Waits for the end of the job, and returns what it has made. */
  async synthesizeResults(): Promise<SessionResult> {
    await this.#current().ended
    return this.#session?.result ?? (await this.#readResult())
  }

  /** The answers of the role's visits, oldest first. */
  async getAgentResults(role: string): Promise<readonly unknown[]> {
    const { job, playbook } = this.#current()
    const runs = await job.runs()
    const visits = runs.flatMap((run) => run.visits)
    return visits.filter(({ stage }) => roleIn(playbook, stage) === role).map(({ answer }) => answer)
  }

  /** The report of the job. */
  async exportResults(format: 'json' | 'markdown'): Promise<string> {
    const result = await this.synthesizeResults()
    if (format === 'json') {
      return JSON.stringify(
        { ...result, agentSummaries: Object.fromEntries(result.agentSummaries) },
        undefined,
        2,
      )
    }
    const lines = [`# ${this.#session?.goal ?? ''}`, '', result.summary, '', '## Files', '']
    return [...lines, ...result.artifacts.map((file) => `- ${file}`), ''].join('\n')
  }

  /** Closes the home. Muster removes working trees and programs of ended jobs itself. */
  async cleanup(): Promise<void> {
    this.#stopped.abort()
    await this.#muster?.close()
    this.#muster = undefined
  }

  /** Stops the program of the role; its tree is removed with its attempt. */
  cleanupAgent(role: string): Promise<void> {
    return this.terminateAgent(role)
  }

  on(handler: EventHandler): void {
    this.#handlers.add(handler)
  }

  off(handler: EventHandler): void {
    this.#handlers.delete(handler)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cleanup()
  }

  #emit(event: OrchestratorEvent): void {
    if (this.config.verboseLogging) process.stderr.write(`${JSON.stringify(event)}\n`)
    for (const handler of this.#handlers) {
      try {
        handler(event)
      } catch (error) {
        // The workflow goes on, and so do the other handlers.
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }

  #client(): Muster['client'] {
    if (this.#muster === undefined)
      throw new MusterError(refused('session-missing', 'no workflow was started'))
    return this.#muster.client
  }

  #current(): Workflow {
    if (this.#workflow === undefined)
      throw new MusterError(refused('session-missing', 'no workflow was started'))
    return this.#workflow
  }

  async #follow(job: MusterJob, playbook: WireValidPlaybook): Promise<void> {
    for await (const event of job.events({ signal: this.#stopped.signal })) {
      const { followed, events } = foldEvent(this.#followed, event, (stage) => roleIn(playbook, stage))
      this.#followed = followed
      this.#update({
        agents: followed.agents,
        ...(followed.stage === undefined ? {} : { currentStage: followed.stage }),
      })
      if (event.type === 'stage_ended') await this.#readMessages(job.id)
      for (const one of events) this.#emit(one)
    }
    if (this.#stopped.signal.aborted) return
    const [ended, result] = await Promise.all([job.status(), this.#readResult()])
    const completedAt = ended.completedAt ?? ended.updatedAt
    this.#update({ status: statusOf(ended), completedAt, result })
    this.#emit({ type: 'workflow_complete', success: result.success })
    this.#emit({ type: 'session_ended', result })
    if (this.config.autoCleanup) await this.cleanup()
  }

  #update(changes: Partial<OrchestratorSession>): void {
    if (this.#session !== undefined) this.#session = { ...this.#session, ...changes }
  }

  async #readMessages(jobId: string): Promise<void> {
    const page = await this.#client().listMessages({ job: jobId })
    if (page.ok) this.#messages = page.value.items.toReversed()
  }

  async #readResult(): Promise<SessionResult> {
    const { job, playbook } = this.#current()
    const [ended, runs, tasks] = await Promise.all([job.status(), job.runs(), job.tasks()])
    const files = tasks.flatMap(({ filesModified }) => filesModified ?? [])
    return resultOf(ended, runs, files, (run: WireRun, stage) =>
      run.playbook === playbook.name ? roleIn(playbook, stage) : '',
    )
  }
}

function refused(type: string, message: string) {
  return { type, message, status: 0 }
}
