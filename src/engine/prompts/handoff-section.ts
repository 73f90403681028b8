import type { HandoffNote } from '../../domain/handoff/handoff-note.ts'
import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import { type Fence, optionalSection } from './fenced-text.ts'
import { shortenedText } from './shortened.ts'

export type HandedOver = Pick<HandoffNote, 'fromAgent' | 'summary' | 'nextSteps' | 'reason'>

/** What the session before left for this one. The last note covers those before it. */
export function handoffSection(handoffs: readonly HandedOver[] = [], fence: Fence): readonly string[] {
  return optionalSection('## Handed over to you', 'handoff', textOf(handoffs.at(-1)), fence)
}

function textOf(last: HandedOver | undefined): string {
  if (last === undefined) return ''
  const text = [
    `${last.fromAgent} worked on this in the tree you are in and handed over: ${last.reason}`,
    `What is done: ${last.summary}`,
    `Next steps: ${last.nextSteps}`,
  ].join('\n')
  return shortenedText(text, PROMPT_LIMITS.worker.handoff)
}
