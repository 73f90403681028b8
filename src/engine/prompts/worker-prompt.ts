import type { HandoffNote } from '../../domain/handoff/handoff-note.ts'
import { fencedText, fenceNotice } from './fenced-text.ts'
import { shortenedText } from './shortened.ts'

const MAX_GOAL = 8_000
const MAX_FAILURE = 8_000
const MAX_REVIEW = 16_000
const MAX_HANDOFF = 16_000

export type WorkerPromptInput = {
  readonly description: string
  readonly context: string
  readonly successCriteria: readonly string[]
  readonly branch: string
  readonly goal: string
  /** What went wrong in the attempt before this one. */
  readonly lastFailure?: string
  /** What a reviewer wants changed about the work that is in the tree already. */
  readonly revision?: { readonly summary: string; readonly issues: string }
  /** What earlier sessions of this attempt left, oldest first. */
  readonly handoffs?: readonly Pick<HandoffNote, 'fromAgent' | 'summary' | 'nextSteps' | 'reason'>[]
  /** Random, made for this prompt. */
  readonly boundary: string
}

/** Gives an agent one task, what it is for, and how to finish it. */
export function workerPrompt(input: WorkerPromptInput): string {
  const fence = (label: string, text: string): string => fencedText(label, text, input.boundary)
  const criteria = input.successCriteria.map((criterion, index) => `${index + 1}. ${criterion}`).join('\n')
  const sections = [
    'You carry out one task in the repository in your working directory, which is yours alone. You are on branch',
    `${input.branch}.`,
    '',
    fenceNotice(input.boundary),
    '',
    '## Your task',
    fence('task', input.description),
    '',
    ...optionalSection('## What to know', 'context', input.context, fence),
    ...optionalSection('## It is done when', 'success criteria', criteria, fence),
    ...revisionSections(input, fence),
    ...optionalSection('## An earlier attempt failed', 'failure', failureOf(input), fence),
    ...optionalSection('## Handed over to you', 'handoff', handoffOf(input), fence),
    '## The goal it belongs to (for reference; do your task only)',
    fence('goal', shortenedText(input.goal, MAX_GOAL)),
    '',
    FINISH_RULES,
  ]
  return `${sections.join('\n')}\n`
}

type Fence = (label: string, text: string) => string

function revisionSections({ revision }: WorkerPromptInput, fence: Fence): readonly string[] {
  if (revision === undefined) return []
  const { issues, summary } = revision
  return [
    '## The reviewer asks for this',
    'The task was worked on before, and that work is in your tree. Go on from it: change what is asked for, or',
    'say in the summary why it is right as it is; a reviewer looks at it again.',
    fence('review', shortenedText(issues, MAX_REVIEW)),
    '',
    ...optionalSection(
      '## What was done before',
      'earlier summary',
      shortenedText(summary, MAX_FAILURE),
      fence,
    ),
  ]
}

function failureOf(input: WorkerPromptInput): string {
  return shortenedText(input.lastFailure ?? '', MAX_FAILURE)
}

/** The last one speaks for those before it. */
function handoffOf(input: WorkerPromptInput): string {
  const last = input.handoffs?.at(-1)
  if (last === undefined) return ''
  const text = [
    `${last.fromAgent} worked on this in the tree you are in and handed over: ${last.reason}`,
    `What is done: ${last.summary}`,
    `Next steps: ${last.nextSteps}`,
  ].join('\n')
  return shortenedText(text, MAX_HANDOFF)
}

function optionalSection(heading: string, label: string, text: string, fence: Fence): readonly string[] {
  return text.trim() === '' ? [] : [heading, fence(label, text), '']
}

const FINISH_RULES = `## How to finish
- Stay in this directory and on this branch. Do not push, and do not rewrite commits that were there before you.
- Run the tests that concern your change.
- Commit your work in small commits whose messages say what and why.
- Print, as the last thing and on one line:
{"type":"result","summary":"what you did, in a few sentences","criteria":[{"criterion":1,"evidence":"where it can be seen that this holds"}],"learnings":["what others who work here should know"]}
  "criteria" names by number those of the points above that hold now. "learnings" may be left out.
- If you are a program, then end with exit code 0. If you could not do it, say in the summary what stood in the way.
- The MCP server "muster", or "muster agent" in a shell, has: inbox (messages for you), progress, ask (what only a
  person can know), handoff (when your context is nearly full, a fresh session goes on in this tree).
Done is what can be seen: your commits are merged and the project's checks run on the result before it counts.`
