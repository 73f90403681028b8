import type { AnswerSchema } from '../../domain/agent/answer-schema.ts'
import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import type { AgentTool } from '../../domain/message/agent-tool.ts'
import { hasFormat, mustChange } from '../../domain/playbook/has-format.ts'
import type { PlaybookRole } from '../../domain/playbook/playbook.ts'
import type { Output } from '../../domain/playbook/stage.ts'
import type { Notebook } from '../../domain/run/notebook.ts'
import { answerRules } from './answer-rules.ts'
import { answerText } from './answer-text.ts'
import { type Fence, fenceNotice, fenceWith, optionalSection, problemSection } from './fenced-text.ts'
import { type HandedOver, handoffSection } from './handoff-section.ts'
import {
  type Candidate,
  candidateSections,
  type Seen,
  type SeenAnswer,
  seenSections,
} from './seen-section.ts'
import { shortenedList, shortenedText } from './shortened.ts'

const LIMITS = PROMPT_LIMITS.visit

/** Everything that the prompt of a visit is made of. It follows from rows, commits and the pinned playbook alone. */
export type VisitPromptInput = {
  readonly playbook: string
  readonly stage: string
  readonly round: number
  readonly role: string
  readonly mode: PlaybookRole['mode']
  /** The Markdown of the role. Trusted, like the rest of the configuration. */
  readonly rolePrompt: string
  readonly asks?: string
  /** The other roles of the playbook that this one may want to write to. */
  readonly others: readonly string[]
  /** Those of Muster's tools that it may use. */
  readonly tools: readonly AgentTool[]
  /** The branch of a tree whose changes are the work. */
  readonly branch?: string
  /** Absent if the stage doesn't see it. */
  readonly goal?: string
  /** The entry of a list that this branch of a fan-out is about. */
  readonly item?: unknown
  readonly notebook?: Notebook
  readonly sees: readonly Seen[]
  /** What a judge compares, in the order that was stored with its visit. */
  readonly candidates: readonly Candidate[]
  /** What was answered in earlier rounds of a review, oldest first. */
  readonly earlierRounds: readonly unknown[]
  /** Files that the work must not change. */
  readonly keeps: readonly string[]
  /** What the work should stay within. */
  readonly scope?: SeenAnswer
  /** Files that the work under review changes although nobody asked for it. */
  readonly beyondScope: readonly string[]
  readonly output: Output
  readonly schema: AnswerSchema
  /**
   * Its agent is in a conversation already. `kept`: from earlier visits of its role, and this input has only what is new
   * to it. `again`: from this visit, and only its answer is asked for again.
   */
  readonly continued?: 'kept' | 'again'
  /** What earlier sessions of its attempt left for the next one, oldest first. */
  readonly handoffs?: readonly HandedOver[]
  /** Why the previous answer could not be used. */
  readonly problem?: string
  /** Random, and new for this prompt. */
  readonly boundary: string
}

/** Asks an agent to do its part in one stage of a playbook. */
export function visitPrompt(input: VisitPromptInput): string {
  const fence = fenceWith(input.boundary)
  if (input.continued === 'again') return againPrompt(input, fence)
  const sections = [
    ...(input.continued === 'kept' ? [] : [input.rolePrompt.trim(), '']),
    ...stageSection(input),
    '',
    fenceNotice(input.boundary),
    '',
    ...optionalSection('## The goal', 'goal', shortenedText(input.goal ?? '', LIMITS.goal), fence),
    ...optionalSection('## Your part of it', 'part', partOf(input), fence),
    ...notebookSections(input.notebook, fence),
    ...seenSections(input.sees, fence),
    ...roundsSection(input, fence),
    ...candidateSections(input.candidates, fence),
    ...boundsSections(input, fence),
    ...problemOf(input, fence),
    ...handoffSection(input.handoffs, fence),
    ...answerSection(input),
  ]
  return `${sections.join('\n')}\n`
}

/** The rest is in the conversation already. */
function againPrompt(input: VisitPromptInput, fence: Fence): string {
  const { mode } = input
  const sections = [
    fenceNotice(input.boundary),
    '',
    ...problemOf(input, fence),
    ...(mode === 'write' ? [AGAIN_IN_TREE, ''] : []),
    ...answerSection(input),
  ]
  return `${sections.join('\n')}\n`
}

const AGAIN_IN_TREE = `Your working directory has everything that you did so far; what you had not committed was committed
for you. Put right what is wrong with it, and finish again.`

function stageSection({
  playbook,
  stage,
  round,
  role,
  asks,
  mode,
  branch,
  continued,
}: VisitPromptInput): readonly string[] {
  const rounds = round === 1 ? '' : ` This is round ${round} of the stage.`
  return [
    continued === 'kept' ? '## Your next stage' : '## Your stage',
    `You have the role "${role}" in the stage "${stage}" of the playbook "${playbook}".${rounds}`,
    ...(asks === undefined ? [] : [asks.trim()]),
    '',
    ...(continued === 'kept' ? [KEPT_CONVERSATION] : []),
    ...(continued === 'kept' && mode !== 'model' ? [KEPT_TREE] : []),
    ...WORKPLACES[mode],
    ...(mode === 'write' && branch !== undefined ? [`You are on branch ${branch}.`] : []),
  ]
}

const KEPT_CONVERSATION =
  'We continue our conversation: your role and the goal are the same, and this text has only what is new to you.'
const KEPT_TREE =
  'Your working directory is new: it has the newest work of the run, which others may have changed since.'

const WORKPLACES: Readonly<Record<PlaybookRole['mode'], readonly string[]>> = {
  read: [
    'The repository is in your working directory. Read it, and run whatever helps you; you may not be able to write there.',
    'Do not change anything: your directory is thrown away.',
  ],
  write: ['Work in the repository in your working directory. No one else uses this directory.'],
  model: ['You have no working directory. Everything that you need is in this text.'],
}

function partOf({ item }: VisitPromptInput): string {
  return shortenedText(answerText(item), LIMITS.item)
}

function notebookSections(notebook: Notebook | undefined, fence: Fence): readonly string[] {
  if (notebook === undefined) return []
  const { criteria, decisions, findings } = notebook
  return [
    ...optionalSection('## The criteria of this run', 'criteria', noted(criteria), fence),
    ...optionalSection('## Decided so far', 'decisions', noted(decisions), fence),
    ...optionalSection('## Found out so far', 'findings', noted(findings), fence),
  ]
}

function noted(entries: readonly string[]): string {
  return shortenedText(answerText(entries), LIMITS.notebook)
}

function roundsSection({ earlierRounds }: VisitPromptInput, fence: Fence): readonly string[] {
  const first = Math.max(0, earlierRounds.length - LIMITS.rounds)
  const rounds = earlierRounds
    .slice(first)
    .map((answer, index) => `Round ${first + index + 1}:\n${shortenedText(answerText(answer), LIMITS.round)}`)
  return optionalSection(
    '## What was answered in earlier rounds of this stage',
    'earlier rounds',
    rounds.join('\n\n'),
    fence,
  )
}

function boundsSections(
  { sees, keeps, scope, beyondScope }: VisitPromptInput,
  fence: Fence,
): readonly string[] {
  return [
    ...optionalSection(
      '## Files that you must not change; work that changes them is not accepted',
      'locked files',
      filesText(keeps),
      fence,
    ),
    ...(scope === undefined ? [] : scopeSection(scope, sees, fence)),
    ...optionalSection(
      '## Files that the work changes, although the last revision was not asked to',
      'files beyond',
      filesText(beyondScope),
      fence,
    ),
  ]
}

/** Without issues, for example, there is nothing to stay within. */
function scopeSection(scope: SeenAnswer, sees: readonly Seen[], fence: Fence): readonly string[] {
  if (answerText(scope.answer) === '') return []
  const isSeen = sees.some(
    (seen) => seen.type === 'answer' && seen.stage === scope.stage && seen.field === scope.field,
  )
  const name =
    scope.field === undefined ? `"${scope.stage}"` : `"${scope.field}" from the stage "${scope.stage}"`
  const who = sees.some(({ type }) => type === 'comment')
    ? `the person and ${name} ask for`
    : `${name} asks for`
  return [
    '## What to stay within',
    `Do what ${who}, and nothing else. Files that you change beyond it are shown to the next reviewer.`,
    '',
    ...(isSeen ? [] : seenSections([scope], fence)),
  ]
}

function filesText(paths: readonly string[]): string {
  return shortenedText(shortenedList(paths, LIMITS.files), LIMITS.fileText)
}

function problemOf({ output, problem }: VisitPromptInput, fence: Fence): readonly string[] {
  if (problem === undefined || !hasFormat(output, 'change')) return problemSection(problem, fence)
  const text = shortenedText(problem, PROMPT_LIMITS.problem)
  return ['## Your last try was not accepted', fence('problem', text), '']
}

function answerSection({
  output,
  schema,
  candidates,
  mode,
  others,
  tools,
}: VisitPromptInput): readonly string[] {
  const rules = answerRules(output, schema)
  if (mustChange(output)) return [CHANGE_RULES, rules, ...changeEnd(others, tools)]
  if (hasFormat(output, 'change'))
    return [CHANGE_RULES, NOTHING_TO_CHANGE, rules, ...changeEnd(others, tools)]
  return [
    '## What to answer',
    ...(mode === 'write' ? ['Commit whatever should be kept of your changes.'] : []),
    rules,
    ...(hasFormat(output, 'choice') ? [`The candidates have the numbers 1 to ${candidates.length}.`] : []),
    'If you are a command-line program, exit with code 0.',
  ]
}

const CHANGE_RULES = `## How to finish
Stay in this directory and on this branch. Do not push, and do not rewrite commits that were there before you. Commit
your work in small commits, with messages that say what changed and why.`

const NOTHING_TO_CHANGE =
  'If nothing needs to be changed, leave the tree as it is, and say so in the summary.'

function changeEnd(others: readonly string[], tools: readonly AgentTool[]): readonly string[] {
  const shown = SHOWN_TOOLS.filter(([tool]) => tools.includes(tool)).map(([, text]) => text)
  const server =
    shown.length === 0
      ? []
      : [`The MCP server "muster", or "muster agent" in a shell, has: ${shown.join(', ')}.`]
  if (others.length === 0 || !tools.includes('send')) return [CHANGE_END, ...server, CHANGE_COUNTS]
  const names = others.map((role) => `role:${role}`).join(', ')
  return [
    CHANGE_END,
    ...server,
    `${shown.length === 0 ? 'The MCP server "muster", or "muster agent" in a shell,' : 'It also'} has send, to ${names} or broadcast, for what another role must know and your answer has no place for.`,
    CHANGE_COUNTS,
  ]
}

const CHANGE_END = `If you are a command-line program, exit with code 0. If you could not do what was asked, say in the summary what
prevented it.`

const SHOWN_TOOLS: readonly (readonly [AgentTool, string])[] = [
  ['inbox', 'inbox (messages for you)'],
  ['progress', 'progress'],
  ['ask', 'ask (for what only a person can know)'],
  ['handoff', 'handoff (if your context is nearly full: a new session continues in this tree)'],
]

const CHANGE_COUNTS = 'A claim is not enough: your commits count, and they are checked before anything lands.'
