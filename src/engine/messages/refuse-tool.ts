import type { SessionId } from '../../domain/id.ts'
import { AGENT_TOOLS, type AgentTool } from '../../domain/message/agent-tool.ts'
import type { MessageFailure } from '../../domain/message/message-failure.ts'
import { toolsInStage } from '../../domain/playbook/tools-in-stage.ts'
import type { Records } from '../../ports/store/store.ts'
import { findVisitOf } from './author.ts'

type Reader = Pick<Records, 'sessions' | 'attempts' | 'visits' | 'runs' | 'pinnedPlaybooks'>

/** The tools that a session may use: those that its run's pinned playbook allows in its stage. Without a run, all. */
export async function toolsOf(records: Reader, sessionId: SessionId): Promise<readonly AgentTool[]> {
  return (await findAllowed(records, sessionId))?.tools ?? AGENT_TOOLS
}

/** Why a session may not use a tool; undefined if it may. */
export async function refuseTool(
  records: Reader,
  sessionId: SessionId,
  tool: AgentTool,
): Promise<Extract<MessageFailure, { type: 'tool-not-allowed' }> | undefined> {
  const allowed = await findAllowed(records, sessionId)
  if (allowed === undefined || allowed.tools.includes(tool)) return undefined
  return { type: 'tool-not-allowed', tool, ...allowed }
}

type Allowed = { readonly role: string; readonly stage: string; readonly tools: readonly AgentTool[] }

async function findAllowed(records: Reader, sessionId: SessionId): Promise<Allowed | undefined> {
  const session = await records.sessions.find(sessionId)
  const purpose = session && (await findVisitOf(records, session))
  if (session === undefined || purpose === undefined) return undefined
  const { visits, runs, pinnedPlaybooks } = records
  const [visit, run] = await Promise.all([visits.find(purpose.visitId), runs.find(purpose.runId)])
  const pinned = run === undefined ? undefined : await pinnedPlaybooks.find(run.playbook.hash)
  if (visit === undefined || pinned === undefined) return undefined
  const tools = toolsInStage(pinned.playbook, visit.stage)
  return { role: session.role, stage: visit.stage, tools }
}
