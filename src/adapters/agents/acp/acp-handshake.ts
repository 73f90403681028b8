import type {
  InitializeRequest,
  LoadSessionRequest,
  McpServer,
  NewSessionRequest,
} from '@agentclientprotocol/sdk'
import { cleanText } from '../../../domain/clean-text.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import type { Opening } from '../../../ports/dialogue.ts'
import { type AcpError, type AcpMessage, listAt, textAt, valueAt } from './acp-message.ts'
import { findModelChoice } from './acp-model.ts'
import type { AcpOptions } from './acp-options.ts'
import { AUTHENTICATION_REQUIRED, outcomeOfError, reasonOf } from './acp-outcome.ts'
import type { AcpStage, AcpState } from './acp-state.ts'
import { type AcpStep, asked, changed, learnt, stepFrom } from './acp-step.ts'
import { programOf, startNextTurn } from './acp-turn.ts'

type Answer = Extract<AcpMessage, { readonly type: 'result' | 'error' }>
type OpeningStage = Extract<AcpStage, { readonly type: 'opening' }>

const PROTOCOL_VERSION = 1
const METHOD_NOT_FOUND = -32_601
const MAX_SESSION_ID = 500
const NO_TURN = { isInterrupted: false } as const
/** Offers no file or terminal access through the client, because the agent has the tree and a shell itself. */
const INITIALIZE: InitializeRequest = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
}

export function openConversation(opening: Opening): AcpStep {
  const { prompt, treeDirectory, permissions, model, resume, mayBeginAnew, mcp } = opening
  const state: AcpState = {
    stage: { type: 'initializing' },
    treeDirectory,
    permissions,
    isResumed: resume !== undefined,
    requested: { model, resume, mayBeginAnew, mcp },
    lastId: 0,
    waiting: [prompt],
    calls: [],
    finishedCalls: [],
    questions: [],
  }
  return asked(stepFrom(state), 'initialize', INITIALIZE)
}

/** Processes an answer before the first prompt and sends the next request. */
export function hearHandshake(options: AcpOptions, step: AcpStep, answer: Answer): AcpStep {
  const { stage } = step.state
  switch (stage.type) {
    case 'initializing':
      return answer.type === 'error'
        ? fail(options, step, answer.error)
        : openSession(options, step, answer.result)
    case 'opening':
      return hearSession(options, step, stage, answer)
    case 'authenticating': {
      if (answer.type === 'error') return fail(options, step, answer.error)
      const { takesHttp } = stage
      return askForSession(step, { method: 'session/load', canLoad: true, takesHttp, isAuthenticated: true })
    }
    case 'choosing-model':
      if (answer.type === 'error') return breakOff(step, modelRefused(step.state, answer.error))
      return becomeReady(step)
    default:
      return step
  }
}

/** Some programs answer a load before they replay the conversation, and list their commands after the replay. */
export function hearCommands(step: AcpStep): AcpStep {
  return step.state.stage.type === 'replaying' ? becomeReady(step) : step
}

/** Ends the conversation. Every waiting message gets this outcome. */
export function breakOff(step: AcpStep, outcome: TurnOutcome): AcpStep {
  const problem = 'reason' in outcome ? outcome.reason : 'the conversation did not start'
  const { waiting } = step.state
  const broken = changed(step, { stage: { type: 'broken', problem }, requested: {}, waiting: [] })
  return learnt(broken, ...waiting.map(() => ({ type: 'turn-end', outcome }) as const))
}

function fail(options: AcpOptions, step: AcpStep, error: AcpError): AcpStep {
  return breakOff(step, outcomeOfError(NO_TURN, error, programOf(options, step.state)))
}

function openSession(options: AcpOptions, step: AcpStep, initialized: unknown): AcpStep {
  if (valueAt(initialized, 'protocolVersion') !== PROTOCOL_VERSION) {
    return breakOff(step, { type: 'failed', reason: 'the agent uses another version of the protocol' })
  }
  const capabilities = valueAt(initialized, 'agentCapabilities')
  const takesHttp = valueAt(capabilities, 'mcpCapabilities', 'http') === true
  const canLoad = valueAt(capabilities, 'loadSession') === true
  const canResume = Boolean(valueAt(capabilities, 'sessionCapabilities', 'resume'))
  const login = loginWords(initialized)
  const known = login === undefined ? step : changed(step, { login })
  const session = { canLoad, takesHttp, isAuthenticated: false }
  if (step.state.requested.resume === undefined)
    return askForSession(known, { ...session, method: 'session/new' })
  if (canResume) return askForSession(known, { ...session, method: 'session/resume' })
  if (canLoad) return askForSession(underPrefix(options, known), { ...session, method: 'session/load' })
  return breakOff(known, { type: 'failed', reason: 'the agent cannot resume a conversation' })
}

function askForSession(step: AcpStep, session: Omit<OpeningStage, 'type'>): AcpStep {
  const { treeDirectory, requested } = step.state
  const fresh: NewSessionRequest = {
    cwd: treeDirectory,
    mcpServers: serversFor(requested, session.takesHttp),
  }
  const old: LoadSessionRequest = { ...fresh, sessionId: requested.resume ?? '' }
  const next = changed(step, { stage: { type: 'opening', ...session } })
  return asked(next, session.method, session.method === 'session/new' ? fresh : old)
}

function serversFor(requested: AcpState['requested'], takesHttp: boolean): McpServer[] {
  if (requested.mcp === undefined || !takesHttp) return []
  const { url, token } = requested.mcp
  const headers = [{ name: 'Authorization', value: `Bearer ${token}` }]
  return [{ type: 'http', name: 'muster', url, headers }]
}

function hearSession(options: AcpOptions, step: AcpStep, stage: OpeningStage, answer: Answer): AcpStep {
  if (answer.type === 'error') return tryOtherwise(options, step, stage, answer.error)
  const sessionId = sessionIdIn(step.state, stage, answer.result)
  if (sessionId === undefined) {
    return breakOff(step, { type: 'failed', reason: 'the agent returned no session id' })
  }
  const requested = step.state.requested.model
  const choice = findModelChoice(options.modelBy === 'protocol' ? requested : undefined, answer.result)
  if (choice?.type === 'impossible') return breakOff(step, { type: 'failed', reason: choice.reason })
  const opened = reportSession(options, step, sessionId, choice?.model ?? requested)
  if (choice?.type === 'ask') {
    const asking = changed(opened, { stage: { type: 'choosing-model' } })
    return asked(asking, choice.method, { sessionId, ...choice.params })
  }
  const isRepeating = stage.method === 'session/load' && options.replayEnd === 'available-commands'
  return isRepeating ? changed(opened, { stage: { type: 'replaying' } }) : becomeReady(opened)
}

/** Tries another way to resume an old conversation. For a new one, there is no other way. */
function tryOtherwise(options: AcpOptions, step: AcpStep, stage: OpeningStage, error: AcpError): AcpStep {
  const { method, canLoad, takesHttp, isAuthenticated } = stage
  if (method === 'session/resume' && canLoad && error.code === METHOD_NOT_FOUND) {
    return askForSession(underPrefix(options, step), { ...stage, method: 'session/load' })
  }
  const { resume } = step.state.requested
  const name = withoutPrefix(options, resume ?? '')
  if (method === 'session/load' && name !== resume && error.code !== AUTHENTICATION_REQUIRED) {
    return askForSession(changed(step, { requested: { ...step.state.requested, resume: name } }), stage)
  }
  const isRefused = method === 'session/load' && error.code === AUTHENTICATION_REQUIRED
  if (!isRefused && method !== 'session/new' && step.state.requested.mayBeginAnew === true) {
    return askForSession(beginningAnew(step), { ...stage, method: 'session/new' })
  }
  const methodId = options.authenticateBy
  if (!isRefused || isAuthenticated || methodId === undefined) return fail(options, step, error)
  const authenticating = changed(step, { stage: { type: 'authenticating', takesHttp } })
  return asked(authenticating, 'authenticate', { methodId })
}

/** Some programs keep no record of a first turn that was cut off, so the conversation starts again. */
function beginningAnew(step: AcpStep): AcpStep {
  const { resume: _, ...requested } = step.state.requested
  return changed(step, { requested, isResumed: false })
}

function underPrefix({ loadPrefix = '' }: AcpOptions, step: AcpStep): AcpStep {
  const { requested } = step.state
  return changed(step, { requested: { ...requested, resume: `${loadPrefix}${requested.resume ?? ''}` } })
}

function withoutPrefix({ loadPrefix = '' }: AcpOptions, name: string): string {
  return name.startsWith(loadPrefix) ? name.slice(loadPrefix.length) : name
}

function reportSession(
  options: AcpOptions,
  step: AcpStep,
  sessionId: string,
  model: string | undefined,
): AcpStep {
  const { model: requested } = step.state.requested
  return learnt(changed(step, { sessionId, requested: { model: requested } }), {
    type: 'session',
    providerSessionId: cleanText(withoutPrefix(options, sessionId)),
    ...(model === undefined ? {} : { model: cleanText(model.slice(0, MAX_SESSION_ID)) }),
  })
}

function sessionIdIn(state: AcpState, stage: OpeningStage, result: unknown): string | undefined {
  const reported = textAt(result, 'sessionId')
  const sessionId = stage.method === 'session/new' ? reported : (reported ?? state.requested.resume)
  return sessionId === undefined || sessionId === '' || sessionId.length > MAX_SESSION_ID
    ? undefined
    : sessionId
}

function becomeReady(step: AcpStep): AcpStep {
  return startNextTurn(changed(step, { stage: { type: 'ready' }, requested: {} }))
}

function modelRefused(state: AcpState, error: AcpError): TurnOutcome {
  return {
    type: 'failed',
    reason: `the agent refused the model ${state.requested.model}: ${reasonOf(error)}`,
  }
}

/** The program's own description of how to log in. */
function loginWords(initialized: unknown): string | undefined {
  const ways = listAt(initialized, 'authMethods').flatMap(
    (way) => textAt(way, 'description') ?? textAt(way, 'name') ?? [],
  )
  return ways.length === 0
    ? undefined
    : cleanText(`Log in first: ${ways.slice(0, 5).join('; ').slice(0, 500)}`)
}
