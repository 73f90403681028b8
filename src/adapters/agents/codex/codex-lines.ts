import type { CodexState } from './codex-state.ts'

export const GREETING_ID = 1
export const JOINING_ID = 2
export const FIRST_FREE_ID = 3

/** Notifications that we don't read. Some are large or sent for every word, so we ask the program to omit them. */
const UNWANTED_NOTIFICATIONS = [
  'app/list/updated',
  'command/exec/outputDelta',
  'configWarning',
  'deprecationNotice',
  'item/agentMessage/delta',
  'item/autoApprovalReview/completed',
  'item/autoApprovalReview/started',
  'item/commandExecution/outputDelta',
  'item/commandExecution/terminalInteraction',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/mcpToolCall/progress',
  'item/plan/delta',
  'item/reasoning/summaryPartAdded',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/textDelta',
  'process/outputDelta',
  'project/changed',
  'rawResponse/completed',
  'rawResponseItem/completed',
  'remoteControl/status/changed',
  'skills/changed',
  'thread/name/updated',
  'thread/prediction/updated',
  'thread/readState/changed',
  'thread/settings/updated',
  'thread/started',
  'thread/status/changed',
  'turn/diff/updated',
  'turn/plan/updated',
]

export function greetingLine(): string {
  return JSON.stringify({
    id: GREETING_ID,
    method: 'initialize',
    params: {
      clientInfo: { name: 'muster', title: 'Muster', version: '0.1.0' },
      capabilities: {
        experimentalApi: false,
        requestAttestation: false,
        optOutNotificationMethods: UNWANTED_NOTIFICATIONS,
      },
    },
  })
}

export function greetedLine(): string {
  return JSON.stringify({ method: 'initialized' })
}

/** Starts or resumes a thread. We don't request its earlier turns, which may be megabytes. */
export function joiningLine(state: CodexState): string {
  const { model, resume, treeDirectory, permissions } = state
  const params = {
    cwd: treeDirectory,
    ...(model === undefined ? {} : { model }),
    ...(permissions === 'bypass'
      ? { approvalPolicy: 'never', sandbox: 'danger-full-access' }
      : { approvalPolicy: 'on-request', sandbox: 'workspace-write' }),
    // The person's own settings may let a model answer the permission requests that are ours to answer.
    approvalsReviewer: 'user',
  }
  return resume === undefined
    ? JSON.stringify({ id: JOINING_ID, method: 'thread/start', params })
    : JSON.stringify({
        id: JOINING_ID,
        method: 'thread/resume',
        params: { threadId: resume, ...params, excludeTurns: true },
      })
}

export function turnLine(id: number, threadId: string, text: string): string {
  return JSON.stringify({ id, method: 'turn/start', params: { threadId, input: [{ type: 'text', text }] } })
}

export function interruptLine(id: number, threadId: string, turnId: string): string {
  return JSON.stringify({ id, method: 'turn/interrupt', params: { threadId, turnId } })
}

export function answerLine(id: string | number, result: unknown): string {
  return JSON.stringify({ id, result })
}

/** The program continues after an error. Without an answer, it would wait forever. */
export function refusalLine(id: string | number, message: string): string {
  return JSON.stringify({ id, error: { code: -32601, message } })
}
