import type {
  InitializeRequest,
  LoadSessionRequest,
  McpServer,
  NewSessionRequest,
} from '@agentclientprotocol/sdk'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import type { Opening } from '../../../ports/dialogue.ts'
import { cleanText } from '../shared/storable-text.ts'
import { type AcpError, type AcpMessage, listAt, textAt, valueAt } from './acp-message.ts'
import { findModelChoice } from './acp-model.ts'
import type { AcpOptions } from './acp-options.ts'
import { AUTHENTICATION_REQUIRED, outcomeOfError, reasonOf } from './acp-outcome.ts'
import type { AcpStage, AcpState } from './acp-state.ts'
import { type AcpStep, asked, changed, learnt, stepFrom } from './acp-step.ts'
import { startNextTurn } from './acp-turn.ts'

type Answer = Extract<AcpMessage, { readonly type: 'result' | 'error' }>
type OpeningStage = Extract<AcpStage, { readonly type: 'opening' }>

const PROTOCOL_VERSION = 1
const METHOD_NOT_FOUND = -32_601
const MAX_SESSION_ID = 500
const NO_TURN = { isInterrupted: false } as const
/** We answer none of the calls by which an agent works through its client: it has the tree and a shell itself. */
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
    wishes: { model, resume, mayBeginAnew, mcp },
    lastId: 0,
    waiting: [prompt],
    calls: [],
    finishedCalls: [],
    questions: [],
  }
  return asked(stepFrom(state), 'initialize', INITIALIZE)
}

/** Takes in the answer to whatever had to be asked before the first prompt, and asks for the next thing. */
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

/** Some programs answer a load before they have repeated the conversation, and tell their commands after it. */
export function hearCommands(step: AcpStep): AcpStep {
  return step.state.stage.type === 'replaying' ? becomeReady(step) : step
}

/** Nothing more can be said: every message that waits gets its end. */
export function breakOff(step: AcpStep, outcome: TurnOutcome): AcpStep {
  const problem = 'reason' in outcome ? outcome.reason : 'the conversation did not begin'
  const { waiting } = step.state
  const broken = changed(step, { stage: { type: 'broken', problem }, wishes: {}, waiting: [] })
  return learnt(broken, ...waiting.map(() => ({ type: 'turn-end', outcome }) as const))
}

function fail(options: AcpOptions, step: AcpStep, error: AcpError): AcpStep {
  return breakOff(step, outcomeOfError(NO_TURN, error, options.login ?? step.state.login))
}

function openSession(options: AcpOptions, step: AcpStep, initialized: unknown): AcpStep {
  if (valueAt(initialized, 'protocolVersion') !== PROTOCOL_VERSION) {
    return breakOff(step, { type: 'failed', reason: 'the agent speaks another version of the protocol' })
  }
  const capabilities = valueAt(initialized, 'agentCapabilities')
  const takesHttp = valueAt(capabilities, 'mcpCapabilities', 'http') === true
  const canLoad = valueAt(capabilities, 'loadSession') === true
  const canResume = Boolean(valueAt(capabilities, 'sessionCapabilities', 'resume'))
  const login = loginWords(initialized)
  const known = login === undefined ? step : changed(step, { login })
  const session = { canLoad, takesHttp, isAuthenticated: false }
  if (step.state.wishes.resume === undefined)
    return askForSession(known, { ...session, method: 'session/new' })
  if (canResume) return askForSession(known, { ...session, method: 'session/resume' })
  if (canLoad) return askForSession(underPrefix(options, known), { ...session, method: 'session/load' })
  return breakOff(known, { type: 'failed', reason: 'the agent cannot go on with an earlier conversation' })
}

function askForSession(step: AcpStep, session: Omit<OpeningStage, 'type'>): AcpStep {
  const { treeDirectory, wishes } = step.state
  const fresh: NewSessionRequest = {
    cwd: treeDirectory,
    mcpServers: serversFor(wishes, session.takesHttp),
  }
  const old: LoadSessionRequest = { ...fresh, sessionId: wishes.resume ?? '' }
  const next = changed(step, { stage: { type: 'opening', ...session } })
  return asked(next, session.method, session.method === 'session/new' ? fresh : old)
}

function serversFor(wishes: AcpState['wishes'], takesHttp: boolean): McpServer[] {
  if (wishes.mcp === undefined || !takesHttp) return []
  const { url, token } = wishes.mcp
  const headers = [{ name: 'Authorization', value: `Bearer ${token}` }]
  return [{ type: 'http', name: 'muster', url, headers }]
}

function hearSession(options: AcpOptions, step: AcpStep, stage: OpeningStage, answer: Answer): AcpStep {
  if (answer.type === 'error') return tryOtherwise(options, step, stage, answer.error)
  const sessionId = sessionIdIn(step.state, stage, answer.result)
  if (sessionId === undefined) {
    return breakOff(step, { type: 'failed', reason: 'the agent named no conversation' })
  }
  const wished = step.state.wishes.model
  const choice = findModelChoice(options.modelBy === 'protocol' ? wished : undefined, answer.result)
  if (choice?.type === 'impossible') return breakOff(step, { type: 'failed', reason: choice.reason })
  const opened = tellSession(options, step, sessionId, choice?.model ?? wished)
  if (choice?.type === 'ask') {
    const asking = changed(opened, { stage: { type: 'choosing-model' } })
    return asked(asking, choice.method, { sessionId, ...choice.params })
  }
  const isRepeating = stage.method === 'session/load' && options.replayEnd === 'available-commands'
  return isRepeating ? changed(opened, { stage: { type: 'replaying' } }) : becomeReady(opened)
}

/** There is more than one way to go on with an old conversation, and no other for a new one. */
function tryOtherwise(options: AcpOptions, step: AcpStep, stage: OpeningStage, error: AcpError): AcpStep {
  const { method, canLoad, takesHttp, isAuthenticated } = stage
  if (method === 'session/resume' && canLoad && error.code === METHOD_NOT_FOUND) {
    return askForSession(underPrefix(options, step), { ...stage, method: 'session/load' })
  }
  const { resume } = step.state.wishes
  const name = withoutPrefix(options, resume ?? '')
  if (method === 'session/load' && name !== resume && error.code !== AUTHENTICATION_REQUIRED) {
    return askForSession(changed(step, { wishes: { ...step.state.wishes, resume: name } }), stage)
  }
  const isRefused = method === 'session/load' && error.code === AUTHENTICATION_REQUIRED
  if (!isRefused && method !== 'session/new' && step.state.wishes.mayBeginAnew === true) {
    return askForSession(beginningAnew(step), { ...stage, method: 'session/new' })
  }
  const methodId = options.authenticateBy
  if (!isRefused || isAuthenticated || methodId === undefined) return fail(options, step, error)
  const authenticating = changed(step, { stage: { type: 'authenticating', takesHttp } })
  return asked(authenticating, 'authenticate', { methodId })
}

/** Some programs keep no record of a first turn that was cut off. */
function beginningAnew(step: AcpStep): AcpStep {
  const { resume: _, ...wishes } = step.state.wishes
  return changed(step, { wishes, isResumed: false })
}

function underPrefix({ loadPrefix = '' }: AcpOptions, step: AcpStep): AcpStep {
  const { wishes } = step.state
  return changed(step, { wishes: { ...wishes, resume: `${loadPrefix}${wishes.resume ?? ''}` } })
}

function withoutPrefix({ loadPrefix = '' }: AcpOptions, name: string): string {
  return name.startsWith(loadPrefix) ? name.slice(loadPrefix.length) : name
}

function tellSession(
  options: AcpOptions,
  step: AcpStep,
  sessionId: string,
  model: string | undefined,
): AcpStep {
  const { model: wished } = step.state.wishes
  return learnt(changed(step, { sessionId, wishes: { model: wished } }), {
    type: 'session',
    providerSessionId: cleanText(withoutPrefix(options, sessionId)),
    ...(model === undefined ? {} : { model: cleanText(model.slice(0, MAX_SESSION_ID)) }),
  })
}

function sessionIdIn(state: AcpState, stage: OpeningStage, result: unknown): string | undefined {
  const told = textAt(result, 'sessionId')
  const sessionId = stage.method === 'session/new' ? told : (told ?? state.wishes.resume)
  return sessionId === undefined || sessionId === '' || sessionId.length > MAX_SESSION_ID
    ? undefined
    : sessionId
}

function becomeReady(step: AcpStep): AcpStep {
  return startNextTurn(changed(step, { stage: { type: 'ready' }, wishes: {} }))
}

function modelRefused(state: AcpState, error: AcpError): TurnOutcome {
  return {
    type: 'failed',
    reason: `the agent does not take the model ${state.wishes.model}: ${reasonOf(error)}`,
  }
}

/** The program's own words on how to log in. */
function loginWords(initialized: unknown): string | undefined {
  const ways = listAt(initialized, 'authMethods').flatMap(
    (way) => textAt(way, 'description') ?? textAt(way, 'name') ?? [],
  )
  return ways.length === 0
    ? undefined
    : cleanText(`Log in first: ${ways.slice(0, 5).join('; ').slice(0, 500)}`)
}
