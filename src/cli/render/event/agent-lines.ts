import type { WireEventOf } from '../../../contract/event.ts'
import type { WireTurnOutcome } from '../../../contract/session-end.ts'
import { describeDroppedOutput } from '../../../domain/session/describe-dropped-output.ts'
import { turnWords } from '../session/session-words.ts'
import { safeLine, safeText } from '../text/safe-text.ts'
import type { AgentLine } from './agent-line.ts'
import { type AnswerKind, withAnswerInWords } from './answer-words.ts'
import { type ResultDetail, toolResultLines } from './tool-result-lines.ts'
import { toolWords } from './tool-words.ts'

/**
 * What an agent said or did in one event, as safe lines for people. Some events have none. Of the results of tools, only
 * failures are shown, unless the output is verbose.
 */
export function agentLines(
  event: WireEventOf<'agent_message'>,
  detail: ResultDetail = 'normal',
): readonly AgentLine[] {
  const { data } = event
  switch (data.type) {
    case 'text':
      return linesOf('text', spokenText(event, data.text))
    case 'thought':
      return linesOf('thought', data.text)
    case 'error-output':
      return linesOf('error', data.text)
    case 'session': {
      const model = data.model === undefined ? '' : `, model ${safeLine(data.model)}`
      return [{ kind: 'note', text: `conversation ${safeLine(data.providerSessionId)}${model}` }]
    }
    case 'tool-call':
      return [{ kind: 'tool', text: toolWords(data.name, data.input, 'main') }]
    case 'tool-result':
      return toolResultLines(data, detail)
    case 'permission-request':
      return [{ kind: 'ask', text: `asks to use ${toolWords(data.tool, data.input, 'all')}` }]
    case 'turn-end':
      return [turnLine(data.outcome)]
    case 'truncation':
      return [{ kind: 'error', text: `(${describeDroppedOutput(data.droppedBytes, data.mayBeMore)})` }]
    case 'usage':
    case 'result':
      return []
  }
}

/** A turn that failed is an error; the end of any other turn is a note. */
function turnLine(outcome: WireTurnOutcome): AgentLine {
  const isFine = outcome.type === 'done' || outcome.type === 'interrupted'
  return {
    kind: isFine ? 'note' : 'error',
    text: outcome.type === 'done' ? 'turn ended' : `turn ended: ${turnWords(outcome)}`,
  }
}

export function linesOf(kind: AgentLine['kind'], text: string): readonly AgentLine[] {
  const lines = safeText(text).split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => ({ kind, text: line.trimEnd() }))
}

/** JSON that answers the engine is shown in words. What is said in a personal session is for the person as it is. */
function spokenText({ taskId, cycle }: WireEventOf<'agent_message'>, text: string): string {
  // A discovery belongs to a cycle, but to no task. A personal session belongs to neither.
  const kind: AnswerKind | undefined =
    taskId !== undefined ? 'task' : cycle !== undefined ? 'discovery' : undefined
  return kind === undefined ? text : withAnswerInWords(text, kind)
}
