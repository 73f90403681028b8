import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import { fenceNotice, fenceWith, optionalSection } from './fenced-text.ts'
import { type HandedOver, handoffSection } from './handoff-section.ts'
import { shortenedText } from './shortened.ts'

const LIMITS = PROMPT_LIMITS.worker

export type WorkerPromptInput = {
  readonly description: string
  readonly context: string
  readonly successCriteria: readonly string[]
  readonly branch: string
  readonly goal: string
  /** What went wrong in the previous attempt. */
  readonly lastFailure?: string
  /** The notes of earlier sessions of this attempt, oldest first. */
  readonly handoffs?: readonly HandedOver[]
  /** Random, and new for this prompt. */
  readonly boundary: string
}

/** Asks an agent to do one task. */
export function workerPrompt(input: WorkerPromptInput): string {
  const fence = fenceWith(input.boundary)
  const criteria = input.successCriteria.map((criterion, index) => `${index + 1}. ${criterion}`).join('\n')
  const sections = [
    'Do one task in the repository in your working directory. No one else uses this directory. You are on branch',
    `${input.branch}.`,
    '',
    fenceNotice(input.boundary),
    '',
    '## Your task',
    fence('task', input.description),
    '',
    ...optionalSection('## What to know', 'context', input.context, fence),
    ...optionalSection('## It is done when', 'success criteria', criteria, fence),
    ...optionalSection('## An earlier attempt failed', 'failure', failureOf(input), fence),
    ...handoffSection(input.handoffs, fence),
    '## The goal it belongs to (for reference; do only your task)',
    fence('goal', shortenedText(input.goal, LIMITS.goal)),
    '',
    FINISH_RULES,
  ]
  return `${sections.join('\n')}\n`
}

function failureOf(input: WorkerPromptInput): string {
  return shortenedText(input.lastFailure ?? '', LIMITS.failure)
}

const FINISH_RULES = `## How to finish
- Stay in this directory and on this branch. Do not push, and do not rewrite commits that were there before you.
- Run the tests that cover your change.
- Commit your work in small commits, with messages that say what changed and why.
- End your answer with this JSON, on one line:
{"type":"result","summary":"what you did, in a few sentences","criteria":[{"criterion":1,"evidence":"where it can be seen"}],"learnings":["what others who work here should know"]}
  "criteria" lists the numbers of the success criteria that are met now. "learnings" may be left out.
- If you are a command-line program, exit with code 0. If you could not do the task, say in the summary what prevented it.
- The MCP server "muster", or "muster agent" in a shell, has: inbox (messages for you), progress, ask (for
  what only a person can know), handoff (if your context is nearly full: a new session continues in this tree).
A claim is not enough: your commits are merged, and the project's checks run on the result before the task counts as done.`
