import type { MusterClient, WireEvent, WireMessage } from '../../client/index.ts'
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
  type SessionResult,
  statusOf,
} from './orchestrator-session.ts'
import { type Ended, readEnded, visitsOf } from './read-result.ts'
import { readLastLines, readMessages, readProgress } from './read-session.ts'
import { createStageRoles, type StageRoles } from './stage-roles.ts'

type EventHandler = (event: OrchestratorEvent) => void
type Workflow = {
  readonly job: MusterJob
  readonly client: MusterClient
  readonly roles: StageRoles
  readonly ended: Promise<Ended | undefined>
}

const NOTHING: Followed = { agents: new Map() }
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
  #progress = 0
  #messages: readonly WireMessage[] = []
  #ended: Ended | undefined

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
    const { workflowTimeout, maxAgents, sessionId } = this.config
    const job = await this.#muster.start(type, goal, {
      timeLimitMinutes: workflowTimeout / 60_000,
      maxParallelTasks: maxAgents,
      ...(sessionId === '' ? {} : { idempotencyKey: sessionId }),
    })
    const startedAt = new Date().toISOString()
    this.#followed = NOTHING
    this.#progress = 0
    this.#messages = []
    this.#ended = undefined
    const { agents } = NOTHING
    this.#session = { id: job.id, workflowType: type, goal, status: 'running', startedAt, agents }
    const { client } = this.#muster
    const roles = createStageRoles(client)
    this.#workflow = { job, client, roles, ended: this.#follow({ job, client, roles }) }
    this.#emit({ type: 'session_started', sessionId: job.id, workflow: type })
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
    await Promise.all(
      agents.map(({ sessionId }) => this.#current().client.stopSession(sessionId, { force: true })),
    )
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
    await answerOf(this.#current().client.sendMessage({ ...message, to: `role:${role}`, ...place }))
  }

  /** The last lines that the agent's program printed as text. */
  async captureAgentOutput(role: string, lines: number = OUTPUT_LINES): Promise<string> {
    const agent = this.getAgent(role)
    return agent === undefined ? '' : await readLastLines(this.#current().client, agent.sessionId, lines)
  }

  /** Stops the program of the role. What follows is up to `recover` of the playbook. */
  async terminateAgent(role: string): Promise<void> {
    const agent = this.getAgent(role)
    if (agent === undefined) return
    await answerOf(
      this.#current().client.stopSession(agent.sessionId, { reason: 'terminated by the orchestrator' }),
    )
  }

  /** Rejects: the outcome of a stage decides what follows, and messages route nothing. */
  routeMessage(from: string): Promise<void> {
    const message = `outcomes of stages decide what follows, so nothing that ${from} sends is routed by hand`
    return Promise.reject(new MusterError(refused('unsupported', message)))
  }

  /** Of the messages of `getMessageHistory`: those that the role has not received. */
  getPendingMessages(role: string): readonly WireMessage[] {
    return this.#messages.filter(({ to, status }) => to === `role:${role}` && status === 'queued')
  }

  /** The messages of the job, oldest first, as of the last stage that ended. */
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
    const { status } = await answerOf(this.#current().client.getSession(agent.sessionId))
    if (status === 'suspended' || status === 'waiting') return 'blocked'
    return status === 'terminated' ? (this.getAgent(role)?.status ?? 'terminated') : 'working'
  }

  /** From 0 to 100: the progress of the job's newest run, as `muster status` shows it. */
  getProgress(): number {
    return Math.floor(this.#progress * 100)
  }

  /** Waits for the end of the job, and returns what it has made. */
  async synthesizeResults(): Promise<SessionResult> {
    return (await this.#readEnded()).result
  }

  /** The answers of the role's visits, also in runs within the run, oldest first. */
  async getAgentResults(role: string): Promise<readonly unknown[]> {
    const { job, roles } = this.#current()
    const visits = this.#ended?.visits ?? (await visitsOf(await job.runs(), roles))
    return visits.filter((visit) => visit.role === role).map(({ answer }) => answer)
  }

  /** Waits for the end of the job. `markdown` is what `muster export` writes, and `json` what `synthesizeResults` returns. */
  async exportResults(format: 'json' | 'markdown'): Promise<string> {
    const { result, markdown } = await this.#readEnded()
    if (format === 'markdown') return markdown
    return JSON.stringify(
      { ...result, agentSummaries: Object.fromEntries(result.agentSummaries) },
      undefined,
      2,
    )
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

  #current(): Workflow {
    if (this.#workflow === undefined)
      throw new MusterError(refused('session-missing', 'no workflow was started'))
    return this.#workflow
  }

  async #follow(followed: Omit<Workflow, 'ended'>): Promise<Ended | undefined> {
    const { signal } = this.#stopped
    for await (const event of followed.job.events({ signal })) await this.#take(event, followed)
    if (signal.aborted) return undefined
    await this.#refresh(followed)
    const ended = await readEnded(followed)
    const { job, result } = ended
    this.#ended = ended
    this.#update({ status: statusOf(job), completedAt: job.completedAt ?? job.updatedAt, result })
    this.#emit({ type: 'workflow_complete', success: result.success })
    this.#emit({ type: 'session_ended', result })
    if (this.config.autoCleanup) await this.cleanup()
    return ended
  }

  async #take(event: WireEvent, from: Omit<Workflow, 'ended'>): Promise<void> {
    const { roles } = from
    if (event.type === 'stage_entered' || event.type === 'stage_ended') await roles.load(event.data.runId)
    const { followed, events } = foldEvent(this.#followed, event, roles.roleOf)
    this.#followed = followed
    const { agents, stage } = followed
    this.#update({ agents, ...(stage === undefined ? {} : { currentStage: stage }) })
    if (event.type === 'stage_ended' || event.type === 'run_ended') await this.#refresh(from)
    for (const one of events) this.#emit(one)
  }

  #update(changes: Partial<OrchestratorSession>): void {
    if (this.#session !== undefined) this.#session = { ...this.#session, ...changes }
  }

  /** What can't be read now stays as it was. */
  async #refresh({ job: { id }, client }: Pick<Workflow, 'job' | 'client'>): Promise<void> {
    const [progress, messages] = await Promise.all([readProgress(client, id), readMessages(client, id)])
    this.#progress = progress ?? this.#progress
    this.#messages = messages ?? this.#messages
  }

  async #readEnded(): Promise<Ended> {
    const workflow = this.#current()
    return (await workflow.ended) ?? (await readEnded(workflow))
  }
}

function refused(type: string, message: string) {
  return { type, message, status: 0 }
}
