import { hearCommands } from './acp-handshake.ts'
import { textAt, valueAt } from './acp-message.ts'
import type { AcpOptions } from './acp-options.ts'
import type { AcpStep } from './acp-step.ts'
import { hearChunk, tellChunks } from './acp-text.ts'
import { hearToolCall, tellHeldCalls } from './acp-tool-calls.ts'
import { hearOldUsage, hearUsageUpdate } from './acp-usage.ts'

/** What the program tells of its conversation. Before the first prompt it can only be of an earlier life. */
export function hearUpdate(options: AcpOptions, step: AcpStep, params: unknown): AcpStep {
  const update = valueAt(params, 'update')
  const type = textAt(update, 'sessionUpdate')
  const { stage, sessionId } = step.state
  if (stage.type !== 'ready') return hearOldUpdate(options, step, type, update)
  if (textAt(params, 'sessionId') !== sessionId) return step
  switch (type) {
    case 'agent_message_chunk':
      return hearContent(step, 'text', update)
    case 'agent_thought_chunk':
      return hearContent(step, 'thought', update)
    case 'tool_call':
    case 'tool_call_update':
      return hearToolCall(step, update)
    case 'usage_update':
      return hearUsageUpdate(tellHeldCalls(step), update)
    // A plan, a list of commands or a title is nothing that was done.
    default:
      return step
  }
}

function hearOldUpdate(
  options: AcpOptions,
  step: AcpStep,
  type: string | undefined,
  update: unknown,
): AcpStep {
  if (type === 'usage_update') return hearOldUsage(step, update)
  const isEnd = type === 'available_commands_update' && options.replayEnd === 'available-commands'
  return isEnd ? hearCommands(step) : step
}

function hearContent(step: AcpStep, type: 'text' | 'thought', update: unknown): AcpStep {
  if (step.state.turn === undefined) return step
  const text = textAt(update, 'content', 'text')
  const messageId = textAt(update, 'messageId')?.slice(0, 200)
  if (text === undefined) return tellChunks(step)
  return hearChunk(tellHeldCalls(step), type, messageId, text)
}
