import { assertNever } from '../assert-never.ts'
import type { AgentTool } from './agent-tool.ts'

/** Why a message was not accepted or an inbox not opened. */
export type MessageFailure =
  | { readonly type: 'session-over' }
  | {
      readonly type: 'message-too-large'
      readonly part: 'body' | 'metadata'
      readonly bytes: number
      readonly limit: number
    }
  | { readonly type: 'message-empty' }
  | { readonly type: 'too-many-messages'; readonly limit: number }
  | { readonly type: 'recipient-unknown'; readonly recipient: string; readonly known: readonly string[] }
  | { readonly type: 'recipient-gone'; readonly recipient: string }
  | { readonly type: 'job-over'; readonly recipient: string }
  | { readonly type: 'handoff-impossible'; readonly problem: string }
  /** Its answer is what it says at the end, because what it runs could send messages in its name. */
  | { readonly type: 'answer-in-words' }
  /** Its playbook doesn't give it this tool. */
  | {
      readonly type: 'tool-not-allowed'
      readonly tool: AgentTool
      readonly role: string
      readonly stage: string
      readonly tools: readonly AgentTool[]
    }
  | { readonly type: 'message-not-found'; readonly id: string }
  | { readonly type: 'question-answered'; readonly id: string }
  | { readonly type: 'predecessor-absent' }
  /** All large texts of a session together. */
  | { readonly type: 'too-much-text'; readonly limit: number }
  | { readonly type: 'deadline-invalid'; readonly deadline: string; readonly problem: string }
  /** Only a session of a run has a thread that others write to. */
  | { readonly type: 'thread-absent' }
  | { readonly type: 'skill-not-found'; readonly name: string; readonly known: readonly string[] }

/** One sentence for the sender, an agent or a person. */
export function describeMessageFailure(failure: MessageFailure): string {
  switch (failure.type) {
    case 'session-over':
      return 'this session has ended and can send nothing more'
    case 'message-too-large':
      return `the ${failure.part} has ${failure.bytes} bytes; the limit is ${failure.limit}`
    case 'message-empty':
      return 'the message is empty'
    case 'too-many-messages':
      return `this session has sent ${failure.limit} messages, which is the limit`
    case 'recipient-unknown':
      return `unknown recipient ${failure.recipient}; known recipients: ${failure.known.join(', ')}`
    case 'recipient-gone':
      return `${failure.recipient} has ended and can receive no messages`
    case 'job-over':
      return `the job has ended, so no one can read a message to ${failure.recipient}`
    case 'handoff-impossible':
      return `this session cannot hand over: ${failure.problem}`
    case 'answer-in-words':
      return 'only an agent that changes files can report that it is done; give your answer at the end of your reply'
    case 'tool-not-allowed':
      return `the role "${failure.role}" may not use ${failure.tool} in the stage "${failure.stage}"; it may use: ${failure.tools.join(', ') || 'none'}`
    case 'message-not-found':
      return `you have no message ${failure.id}`
    case 'question-answered':
      return `${failure.id} is already answered`
    case 'predecessor-absent':
      return 'no one has worked on this before'
    case 'too-much-text':
      return `the large texts of this session would have more than ${failure.limit} bytes, which is the limit`
    case 'deadline-invalid':
      return `the deadline ${failure.deadline} ${failure.problem}`
    case 'thread-absent':
      return 'this session is not part of a run, so it has no thread'
    case 'skill-not-found':
      return `unknown skill ${failure.name}; known skills: ${failure.known.join(', ') || 'none'}`
    default:
      return assertNever(failure)
  }
}
