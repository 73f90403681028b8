import type { FileChange } from '../../ports/history.ts'
import { fencedText, fenceNotice } from './fenced-text.ts'
import { shortenedList, shortenedText } from './shortened.ts'

const MAX_TASK = 20_000
const MAX_CLAUSES = 8_000
const MAX_SUMMARY = 4_000
const MAX_FILES = 300
const MAX_FILE_TEXT = 16_000
const MAX_PATCH = 64_000
const MAX_ROUND = 8_000
const MAX_PROBLEM = 2_000

export type ReviewerPromptInput = {
  readonly description: string
  readonly context: string
  readonly successCriteria: readonly string[]
  /** Those parts of the goal that the task serves, in the goal's words. */
  readonly clauses: readonly string[]
  /** What the worker says it did. */
  readonly claim: string
  readonly files: readonly FileChange[]
  readonly patch: string
  readonly isCut: boolean
  /** What reviewers asked for before this, oldest first. */
  readonly earlierRounds: readonly string[]
  /** Why the answer before this one could not be used. */
  readonly previousProblem?: string
  /** Random, made for this prompt. */
  readonly boundary: string
}

type Fence = (label: string, text: string) => string

/** Asks for a verdict on one exact state of the work on a task. */
export function reviewerPrompt(input: ReviewerPromptInput): string {
  const fence: Fence = (label, text) => fencedText(label, text, input.boundary)
  const sections = [
    'You review work on a repository. Another agent says that it has carried out the task below. Your working',
    'directory holds the result. Read it, and run what helps you to judge it as far as that is possible: you may not',
    'be able to write there. Change nothing: your directory is thrown away, and nothing of it ever lands.',
    '',
    fenceNotice(input.boundary),
    '',
    '## The task',
    fence('task', shortenedText(input.description, MAX_TASK)),
    '',
    ...optionalSection(
      '## What its agent was told',
      'context',
      shortenedText(input.context, MAX_TASK),
      fence,
    ),
    ...optionalSection('## Success criteria', 'success criteria', numbered(input.successCriteria), fence),
    ...optionalSection('## The parts of the goal it serves', 'goal', clausesOf(input), fence),
    '## What its agent says it did',
    fence('claim', shortenedText(input.claim, MAX_SUMMARY)),
    '',
    '## Changed files',
    fence('files', filesOf(input)),
    '',
    patchHeading(input),
    fence('diff', shortenedText(input.patch, MAX_PATCH)),
    '',
    ...roundsSection(input, fence),
    ...problemSection(input, fence),
    ANSWER_RULES,
  ]
  return `${sections.join('\n')}\n`
}

function numbered(lines: readonly string[]): string {
  return shortenedText(lines.map((line, index) => `${index + 1}. ${line}`).join('\n'), MAX_TASK)
}

function clausesOf({ clauses }: ReviewerPromptInput): string {
  return shortenedText(clauses.map((clause) => `- ${clause}`).join('\n'), MAX_CLAUSES)
}

function filesOf({ files }: ReviewerPromptInput): string {
  const lines = files.map(({ path, added, removed, isBinary }) =>
    isBinary ? `${path} (binary)` : `${path} (+${added} -${removed})`,
  )
  return shortenedText(shortenedList(lines, MAX_FILES), MAX_FILE_TEXT)
}

function patchHeading({ isCut, patch }: ReviewerPromptInput): string {
  if (!isCut && patch.length <= MAX_PATCH) return '## The diff of all of the work'
  return '## The diff, cut because it is long; look at the rest in your working directory'
}

function roundsSection({ earlierRounds }: ReviewerPromptInput, fence: Fence): readonly string[] {
  if (earlierRounds.length === 0) return []
  const rounds = earlierRounds.map(
    (issues, index) => `Round ${index + 1}:\n${shortenedText(issues, MAX_ROUND)}`,
  )
  return [
    '## What was asked for in earlier rounds',
    'Judge whether it was done. Ask for something new only if the task cannot count as done without it.',
    fence('earlier rounds', rounds.join('\n\n')),
    '',
  ]
}

function problemSection({ previousProblem }: ReviewerPromptInput, fence: Fence): readonly string[] {
  if (previousProblem === undefined) return []
  return [
    '## Your last answer could not be used',
    fence('problem', shortenedText(previousProblem, MAX_PROBLEM)),
    'Answer again, in the form below.',
    '',
  ]
}

function optionalSection(heading: string, label: string, text: string, fence: Fence): readonly string[] {
  return text.trim() === '' ? [] : [heading, fence(label, text), '']
}

const ANSWER_RULES = `## What to answer
Judge the work against its task and its success criteria, each by what you see in the repository and not by what its
agent says. Print, as the last thing and on one line, this JSON:
{"type":"result","verdict":"APPROVED","summary":"in a sentence or two","issues":[{"severity":"major","location":"src/file.ts:12","issue":"what is wrong","suggestion":"what to do instead"}],"criteria":[{"criterion":1,"met":true,"evidence":"where it can be seen"}]}
- "verdict" is APPROVED, NEEDS_REVISION or REJECTED; nothing you write elsewhere counts.
- APPROVED: the task is done and every criterion is met. Small remarks may stand in "issues"; it lands as it is.
- NEEDS_REVISION: the same agent can put it right. "issues" says what must change, the most important first.
- REJECTED: the work, or the task itself, is wrong from the ground up. A person looks at it.
- "criteria" holds every success criterion by its number, with "met" true or false and the evidence.
- If you are a program, then end with exit code 0.`
