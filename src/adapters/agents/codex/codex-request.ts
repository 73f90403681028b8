import { z } from 'zod'
import { assertNever } from '../../../domain/assert-never.ts'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { PermissionDecision, Spoken } from '../../../ports/dialogue.ts'
import { storableJson } from '../shared/storable-json.ts'
import { storableText } from '../shared/storable-text.ts'
import { answerLine, refusalLine } from './codex-lines.ts'
import type { CodexState, OpenRequest } from './codex-state.ts'

const MAX_OPEN_REQUESTS = 16
const MAX_GRANT_CHARACTERS = 1024

/** Fields that are only shown may be missing or malformed. The request is still valid. */
const shown = z.string().nullish().catch(undefined)
const commandApproval = z.object({
  command: shown,
  cwd: shown,
  networkApprovalContext: z.unknown().optional(),
  reason: shown,
})
const changeApproval = z.object({ itemId: shown, grantRoot: shown, reason: shown })
const grantApproval = z.object({
  permissions: z.record(z.string(), z.unknown()),
  reason: shown,
})
const elicitation = z.object({
  serverName: z.string(),
  mode: z.string(),
  message: z.string(),
  _meta: z.object({ tool_params: z.unknown().optional() }).nullish().catch(undefined),
  requestedSchema: z.object({ properties: z.record(z.string(), z.unknown()).optional() }).optional(),
})

/** A permission request as we pass it on. */
type Question = Pick<OpenRequest, 'kind' | 'grant'> & {
  readonly tool: string
  readonly input: unknown
  readonly reason?: string | null | undefined
}

/**
 * A request from the program. Permission requests are passed on, or allowed at once with bypassed permissions. All
 * other requests are refused, so that the program never waits forever.
 */
export function hearCodexRequest(
  state: CodexState,
  id: string | number,
  method: string,
  params: unknown,
): Spoken {
  const question = readQuestion(state, method, params)
  if (question === undefined) {
    const refusal = refusalLine(id, `${method.slice(0, 100)} is not supported`)
    return { state, events: [], says: [refusal] }
  }
  const { kind, grant, tool, input } = question
  const request: OpenRequest = {
    id,
    requestId: storableText(String(id)),
    kind,
    ...(grant === undefined ? {} : { grant }),
  }
  if (state.permissions === 'bypass')
    return { state, events: [], says: [answerTo(request, { type: 'allow' })] }
  if (state.openRequests.length >= MAX_OPEN_REQUESTS) {
    return {
      state,
      events: [],
      says: [answerTo(request, { type: 'deny', reason: 'too many open requests' })],
    }
  }
  const event: AgentEvent = {
    type: 'permission-request',
    requestId: request.requestId,
    tool: storableText(tool),
    input: storableJson(input),
    ...(question.reason ? { reason: storableText(question.reason) } : {}),
  }
  return { state: { ...state, openRequests: [...state.openRequests, request] }, events: [event], says: [] }
}

/** Allows only this one action. A permanent rule is up to the person. */
export function answerTo(request: OpenRequest, decision: PermissionDecision): string {
  const isAllowed = decision.type === 'allow'
  switch (request.kind) {
    case 'approval':
      return answerLine(request.id, { decision: isAllowed ? 'accept' : 'decline' })
    case 'grant':
      return answerLine(request.id, { permissions: isAllowed ? (request.grant ?? {}) : {}, scope: 'turn' })
    case 'elicitation':
      return answerLine(request.id, {
        action: isAllowed ? 'accept' : 'decline',
        content: isAllowed ? {} : null,
        _meta: null,
      })
    default:
      return assertNever(request.kind)
  }
}

function readQuestion(state: CodexState, method: string, params: unknown): Question | undefined {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return readCommandQuestion(params)
    case 'item/fileChange/requestApproval':
      return readChangeQuestion(state, params)
    case 'item/permissions/requestApproval':
      return readGrantQuestion(params)
    case 'mcpServer/elicitation/request':
      return readElicitation(params)
    default:
      return undefined
  }
}

function readCommandQuestion(params: unknown): Question | undefined {
  const asked = commandApproval.safeParse(params).data
  if (asked === undefined) return undefined
  const { command, cwd, networkApprovalContext: network } = asked
  const input = present({ command, cwd, network })
  return { kind: 'approval', tool: network ? 'network' : 'shell', input, reason: asked.reason }
}

function readChangeQuestion(state: CodexState, params: unknown): Question | undefined {
  const asked = changeApproval.safeParse(params).data
  if (asked === undefined) return undefined
  const paths = state.changes.find((change) => change.itemId === asked.itemId)?.paths
  const input = present({ paths, grantRoot: asked.grantRoot })
  return { kind: 'approval', tool: 'apply_patch', input, reason: asked.reason }
}

function readGrantQuestion(params: unknown): Question | undefined {
  const asked = grantApproval.safeParse(params).data
  if (asked === undefined) return undefined
  const grant = present(asked.permissions)
  // The grant must be stored until the decision, and nobody could review a larger one anyway.
  if (JSON.stringify(grant).length > MAX_GRANT_CHARACTERS) return undefined
  return { kind: 'grant', grant, tool: 'permissions', input: grant, reason: asked.reason }
}

/** An MCP server asks for consent. Requests to fill in a form or visit a page are refused. */
function readElicitation(params: unknown): Question | undefined {
  const asked = elicitation.safeParse(params).data
  if (asked === undefined || asked.mode === 'url') return undefined
  if (Object.keys(asked.requestedSchema?.properties ?? {}).length > 0) return undefined
  const { serverName, message } = asked
  const input = present({ message, arguments: asked._meta?.tool_params })
  return { kind: 'elicitation', tool: serverName, input }
}

function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  )
}
